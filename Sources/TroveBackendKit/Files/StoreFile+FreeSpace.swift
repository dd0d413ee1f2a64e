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
        let (bytes, isMore) = Int(system.f_bavail).multipliedReportingOverflow(by: Int(system.f_frsize))
        return isMore ? .max : bytes
    }
}
