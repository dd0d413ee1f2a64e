#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension StoreFile {
    /// The paths beside the store whose names are the store's, a mark, and behind it a decimal number, or one, a minus sign and a hexadecimal one of 64 bits.
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
            guard name.utf8.starts(with: beginning), areNumbers(name.utf8.dropFirst(beginning.count)) else { continue }
            paths.append((directory == "/" ? "" : directory) + "/" + name)
        }
        return paths
    }

    private func areNumbers(_ text: Substring.UTF8View) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, !first.isEmpty, first.allSatisfy(Self.isDigit) else { return false }
        guard parts.count == 2 else { return true }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        return (1...16).contains(parts[1].count) && parts[1].allSatisfy { Self.isDigit($0) || letters.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
