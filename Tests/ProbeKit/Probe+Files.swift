import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What concerns the process and its files, not stores.
extension Probe {
    /// The number of the user that owns nothing.
    private static let nobody: uid_t = 65_534

    func workOnFiles(_ request: ProbeRequest) throws -> ProbeReply {
        switch request {
        case .becomeNobody:
            guard setgroups(0, nil) == 0, setgid(Self.nobody) == 0, setuid(Self.nobody) == 0 else {
                throw Inconsistency("cannot become another user: \(String(cString: strerror(errno)))")
            }
        case .lockFile(let path):
            try lock(path, F_WRLCK, count: 0)
        case .shareFile(let path):
            try lock(path, F_RDLCK, count: 1)
        case .fillFile(let path, let limit):
            return ProbeReply(number: try fill(path, limit: limit))
        case .removeFile(let path):
            try FileManager.default.removeItem(atPath: path)
        case .list(let directory):
            return ProbeReply(names: try FileManager.default.contentsOfDirectory(atPath: directory).sorted())
        default:
            throw Inconsistency("\(request) does not concern files")
        }
        return ProbeReply()
    }

    /// Locks so many bytes of a file; 0 for all.
    private func lock(_ path: String, _ kind: Int32, count: off_t) throws {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_len = count
        lock.l_whence = Int16(SEEK_SET)
        guard descriptor >= 0, fcntl(descriptor, F_SETLK, &lock) == 0 else {
            throw Inconsistency("cannot lock \(path): \(String(cString: strerror(errno)))")
        }
        lockedFiles.append(descriptor)
    }

    /// Returns how many bytes went into the file.
    private func fill(_ path: String, limit: Int) throws -> Int {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Inconsistency("cannot create \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let zeros = [UInt8](repeating: 0, count: 4_096)
        var written = 0
        while written < limit {
            let count = write(descriptor, zeros, min(zeros.count, limit - written))
            if count <= 0 { break }
            written += count
        }
        return written
    }
}
