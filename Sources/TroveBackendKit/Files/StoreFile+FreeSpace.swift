#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension StoreFile {
    /// How many bytes this user may still write on the disk that a path leads to; nil when the system does not tell.
    public static func freeSpace(at path: String) -> Int? {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return nil }
        // Some file systems say that there is no end to it by all ones.
        let (bytes, isMore) = Int(clamping: system.f_bavail).multipliedReportingOverflow(by: Int(clamping: system.f_frsize))
        return isMore ? .max : bytes
    }
}
