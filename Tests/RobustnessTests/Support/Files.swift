import Foundation
import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension TemporaryDirectory {
    /// Sets the mode of a file, or of the directory itself.
    func setMode(_ mode: mode_t, of name: String? = nil) throws {
        let path = name.map(file) ?? path
        guard chmod(path, mode) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// The bytes of every file in the directory, by name.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            contents[name] = FileManager.default.contents(atPath: file(name)) ?? Data()
        }
        return contents
    }

    /// When every file in the directory was changed, and the directory itself.
    func changes() throws -> [String: Date] {
        var changes: [String: Date] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) + ["."] {
            changes[name] = try FileManager.default.attributesOfItem(atPath: file(name))[.modificationDate] as? Date
        }
        return changes
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }

    /// Makes another directory in this one.
    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: false)
    }
}
