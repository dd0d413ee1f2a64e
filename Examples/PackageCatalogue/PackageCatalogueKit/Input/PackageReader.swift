import Foundation

/// The packages of a JSON-lines file, one after the other.
///
/// ```swift
/// var reader = try PackageReader(path: "packages.jsonl.xz")
/// while let package = try reader.next() { … }
/// ```
struct PackageReader {
    /// The number of the line that was read last, from 1.
    private(set) var line = 0
    let path: String
    private let file: InputFile
    private var lines: LineReader
    private let decoder = JSONDecoder()

    /// - Throws: ``CatalogueError`` when the file cannot be read.
    init(path: String) throws {
        self.path = path
        file = try InputFile(path: path)
        lines = LineReader(file.contents)
    }

    /// The next package; nil after the last. Empty lines are passed over.
    ///
    /// - Throws: ``CatalogueError``, which names the line.
    mutating func next() throws -> CataloguePackage? {
        while let row = try nextLine() {
            if row.isEmpty { continue }
            do {
                return try decoder.decode(CataloguePackage.self, from: row)
            } catch let error as DecodingError {
                let failure = CatalogueError.invalidRow(path: path, line: line, reason: error.reason)
                // A last row that is cut off may only show that the file could not be unpacked to its end.
                if try nextLine() == nil { try file.finish() }
                throw failure
            }
        }
        try file.finish()
        return nil
    }

    private mutating func nextLine() throws -> Data? {
        line += 1
        do {
            return try lines.next()
        } catch is LineTooLong {
            throw CatalogueError.invalidRow(
                path: path, line: line, reason: "the line is longer than \(LineReader.longestLine >> 20) MiB; is this a JSON-lines file?")
        } catch {
            throw CatalogueError.unreadable(path: path, reason: error.localizedDescription)
        }
    }
}
