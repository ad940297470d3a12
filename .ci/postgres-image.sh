#!/usr/bin/env bash
# Makes a small PostgreSQL image from the embedded binaries of the tests, for machines that cannot pull one.
# usage: postgres-image.sh BINARIES_JAR IMAGE
# The image takes POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB, and arguments of the server, like the official one.
# Needs a running Docker Engine, unzip, xz, ldd; the server's libraries are taken from this machine.
set -euo pipefail
jar=$1 image=$2
docker image inspect "$image" >/dev/null 2>&1 && exit 0

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
home=$root/usr/local/pgsql
mkdir -p "$home" "$root"/{bin,etc,tmp,run,lib64,usr/share,var/lib/postgresql}
chmod 1777 "$root/tmp"
unzip -p "$jar" '*.txz' | tar -xJ -C "$home"
for program in bash cat chown id ls mkdir setpriv; do
    cp -L "$(command -v "$program")" "$root/bin/$program"
done
ln -s bash "$root/bin/sh"

# Shared libraries that the programs need and the archive does not bring.
libraries() {
    local file
    for file in "$root"/bin/* "$home"/bin/* "$home"/lib/*.so* "$home"/lib/postgresql/*.so; do
        [ -f "$file" ] && LD_LIBRARY_PATH=$home/lib ldd "$file" 2>/dev/null | grep -o '/[^ ]*' || true
    done | grep -v "^$root" | sort -u
}
while read -r library; do
    [ -f "$library" ] || continue
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
done < <(libraries)
cp -rL /usr/share/zoneinfo "$root/usr/share/" 2>/dev/null || true
printf '%s\n' root:x:0:0::/root:/bin/sh postgres:x:999:999::/var/lib/postgresql:/bin/sh >"$root/etc/passwd"
printf '%s\n' root:x:0: postgres:x:999: >"$root/etc/group"

cat >"$root/bin/docker-entrypoint.sh" <<'ENTRYPOINT'
#!/bin/bash
set -euo pipefail
export PATH=/usr/local/pgsql/bin:/bin LD_LIBRARY_PATH=/usr/local/pgsql/lib PGDATA=${PGDATA:-/var/lib/postgresql/data}
if [ "$(id -u)" = 0 ]; then
    mkdir -p "$PGDATA"
    chown -R 999:999 /var/lib/postgresql "$PGDATA"
    exec setpriv --reuid 999 --regid 999 --clear-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    user=${POSTGRES_USER:-postgres}
    database=${POSTGRES_DB:-$user}
    initdb -N -D "$PGDATA" -U "$user" --pwfile=<(printf '%s\n' "${POSTGRES_PASSWORD:-postgres}") \
        --auth=scram-sha-256 -E UTF8 --locale=C >/dev/null
    printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
    # The archive has no client programs; single-user mode needs none, and no password.
    if [ "$database" != postgres ]; then
        printf 'create database "%s"\n' "${database//\"/\"\"}" |
            postgres --single -D "$PGDATA" -c log_min_messages=error postgres >/dev/null
    fi
    # The official image starts its server twice, and Testcontainers waits for the second time.
    echo 'initialised: database system is ready to accept connections at the next start'
fi
[ "${1#-}" = "$1" ] || set -- postgres "$@"
exec "$@" -c listen_addresses='*' -k /tmp
ENTRYPOINT
chmod 755 "$root/bin/docker-entrypoint.sh"
tar -C "$root" --owner=0 --group=0 -c . |
    docker import -c 'ENTRYPOINT ["/bin/docker-entrypoint.sh"]' -c 'CMD ["postgres"]' -c 'EXPOSE 5432' - "$image" >/dev/null
echo "postgres-image: made $image"
