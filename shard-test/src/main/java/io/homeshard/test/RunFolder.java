package io.homeshard.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder {@code run-<pid>} with the data of all servers of one JVM.
 *
 * <p>The JVM holds a lock on a file in it as long as it lives; a folder that is not locked and whose process is gone
 * was left by a JVM that died.
 */
final class RunFolder {
    private static final String PREFIX = "run-";
    private static final String LOCK = "lock";

    private final Path root;
    private final Path path;

    @SuppressWarnings("unused") // held, so that the lock lives as long as the JVM
    private final FileLock lock;

    private RunFolder(Path root, Path path, FileLock lock) {
        this.root = root;
        this.path = path;
        this.lock = lock;
    }

    /** Makes the folder of this JVM and removes those of dead ones, servers included. */
    static RunFolder open(Path root) {
        try {
            Files.createDirectories(root);
            Path path = root.resolve(PREFIX + ProcessHandle.current().pid());
            delete(path);
            Files.createDirectories(path);
            FileLock lock = tryLock(path);
            if (lock == null) {
                throw new IllegalStateException(
                        "test servers - folder is in use by another process (folder=" + path + ")");
            }
            RunFolder folder = new RunFolder(root, path, lock);
            folder.sweep();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("test servers - no folder for their data (folder=" + root + ")", e);
        }
    }

    Path root() {
        return root;
    }

    Path path() {
        return path;
    }

    private void sweep() throws IOException {
        List<Path> folders;
        try (Stream<Path> entries = Files.list(root)) {
            folders = entries.filter(RunFolder::isOfDeadProcess).toList();
        }
        for (Path folder : folders) {
            FileLock left = tryLock(folder);
            if (left != null) {
                left.channel().close();
                ServerGuard.remove(folder);
            }
        }
    }

    private static boolean isOfDeadProcess(Path folder) {
        String name = folder.getFileName().toString();
        if (!name.matches(PREFIX + "\\d{1,18}")) {
            return false;
        }
        return ProcessHandle.of(Long.parseLong(name.substring(PREFIX.length()))).isEmpty();
    }

    private static @Nullable FileLock tryLock(Path folder) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            // removed in the meantime by the guard of that process
            if (Files.notExists(folder)) {
                return null;
            }
            throw e;
        }
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
        }
        return lock;
    }

    /** Deletes a folder and all in it; what is gone in the meantime is no error. */
    static void delete(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        List<Path> entries;
        try (Stream<Path> tree = Files.walk(folder)) {
            entries = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path entry : entries) {
            Files.deleteIfExists(entry);
        }
    }
}
