#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The standard streams of the process.
enum StandardStreams {
    /// Opens those that are closed, so that no file that is opened next gets the number of one: what the program prints would be written
    /// over it. SQLite does so with its own files.
    ///
    /// They are opened the wrong way round, so that their use fails as that of a closed one.
    static func occupyClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The system gives the lowest number that is free, which is this one unless another thread is faster; then that has it.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
