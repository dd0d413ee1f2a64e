import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file beside the store, `-queue`, by which writers of several processes keep their order; SQLite lets in whoever asks at the right moment.
///
/// It is there while the store is open, and the last process removes it. Where it cannot be made, writers come in whatever order SQLite gives them.
/// A file of its own, because closing a descriptor of the store or of its other files would drop SQLite's locks.
final class QueueFile: Sendable {
    let gate: ProcessGate
    private let path: String
    private let descriptor: Int32

    private init(gate: ProcessGate, path: String, descriptor: Int32) {
        self.gate = gate
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens or creates the file of the store at `path`; nil when that fails until the deadline.
    static func open(forStoreAt path: String, until deadline: Deadline) -> QueueFile? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        let path = path + "-queue"
        let mode = information.st_mode & 0o666
        while true {
            guard let descriptor = openFile(path, mode) else { return nil }
            if let file = join(path, descriptor, until: deadline) {
                // The last process may have removed it before this one joined.
                if leads(path, to: descriptor) { return file }
                file.close()
            } else {
                closeFile(descriptor)
                return nil
            }
            if deadline.hasPassed { return nil }
        }
    }

    private static func join(_ path: String, _ descriptor: Int32, until deadline: Deadline) -> QueueFile? {
        guard let words = SharedWords(descriptor: descriptor, offset: 0),
            let gate = ProcessGate(words: words, locks: ByteLock(descriptor: descriptor), until: deadline)
        else { return nil }
        return QueueFile(gate: gate, path: path, descriptor: descriptor)
    }

    /// Opens the file with room for the shared numbers.
    private static func openFile(_ path: String, _ mode: mode_t) -> Int32? {
        let descriptor = openDescriptor(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
        guard descriptor >= 0 else { return nil }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            closeFile(descriptor)
            return nil
        }
        if Int(information.st_size) >= SharedWords.size { return descriptor }
        // Another user of the store needs the permissions that the store's file has.
        fchmod(descriptor, mode)
        guard addRoom(to: descriptor) else {
            closeFile(descriptor)
            return nil
        }
        return descriptor
    }

    /// Appends room for the shared numbers to the file; false when that fails.
    ///
    /// Written, and not only extended, so that it is on the disk. At the end, whatever that is by now: two processes may have found the file empty, and the
    /// first one may have joined.
    static func addRoom(to descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_APPEND) == 0 else { return false }
        let zeros = [UInt8](repeating: 0, count: SharedWords.size)
        let isWritten = write(descriptor, zeros, zeros.count) == zeros.count
        return fcntl(descriptor, F_SETFL, flags) == 0 && isWritten
    }

    /// Whether the file is beside the store still.
    var isAtPath: Bool { Self.leads(path, to: descriptor) }

    private static func leads(_ path: String, to descriptor: Int32) -> Bool {
        var (found, opened) = (stat(), stat())
        return stat(path, &found) == 0 && fstat(descriptor, &opened) == 0 && found.st_dev == opened.st_dev && found.st_ino == opened.st_ino
    }

    /// Leaves the queue. The last process removes the file.
    func close() {
        gate.close { if isAtPath { unlink(path) } }
        closeFile(descriptor)
    }
}

/// The system's `close` and `open`, which the methods of that name would hide.
private func closeFile(_ descriptor: Int32) { close(descriptor) }
private func openDescriptor(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
