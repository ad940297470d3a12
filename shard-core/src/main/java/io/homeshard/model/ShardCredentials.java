package io.homeshard.model;

/**
 * How the application logs in on a shard. Comes from the application at run time and is never stored by Homeshard.
 * Immutable; {@link #toString()} hides the password.
 *
 * @param user database role
 * @param password its password; empty where the server asks for none
 */
public record ShardCredentials(String user, String password) {
    @Override
    public String toString() {
        return "ShardCredentials[user=" + user + ", password=***]";
    }
}
