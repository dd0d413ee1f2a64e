#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension StoreFile {
    /// The paths beside the store whose names are the store's, a mark, and numbers behind it, decimal or hexadecimal, with minus signs between them.
    ///
    /// None where the directory cannot be read.
    package func numberedPaths(behind mark: String) -> [String] {
        let directory = Self.directory(of: path)
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        let beginning = Array((path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "").utf8) + Array(mark.utf8)
        var paths: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            let rest = name.utf8.dropFirst(beginning.count)
            guard name.utf8.starts(with: beginning), !rest.isEmpty, rest.allSatisfy({ Self.isOfNumber($0) }) else { continue }
            paths.append((directory == "/" ? "" : directory) + "/" + name)
        }
        return paths
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
