package io.homeshard.test;

import java.io.IOException;

/** A JVM that starts servers and then waits to be killed. */
final class ServerChild {
    static final String READY = "ready";

    private ServerChild() {}

    public static void main(String[] arguments) throws IOException {
        try (TestCluster cluster =
                TestCluster.builder().shards(2).dedicatedServers(true).build()) {
            cluster.shardServer(0).stop();
            cluster.shardServer(0).start();
            cluster.shardServer(1).stop();
            System.out.println(READY);
            System.out.flush();
            if (System.in.read() < 0) {
                throw new IllegalStateException("the parent is gone");
            }
        }
    }
}
