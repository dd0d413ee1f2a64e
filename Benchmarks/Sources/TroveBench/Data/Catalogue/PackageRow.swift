import Foundation

/// A package of a Linux distribution as a line of the data file has it.
struct PackageRow: Decodable, Sendable {
    let name: String
    let version: String
    let architecture: String
    let description: String
    let section: String?
    let source: String?
    let installedSize: Int?
    let downloadSize: Int?
    let depends: [String]?
    let recommends: [String]?
    let provides: [String]?
    let tags: [String]?

    /// The names of other packages, by the kind of the relation.
    var relations: [[String]] { [depends ?? [], recommends ?? [], provides ?? []] }

    /// The packages of a file of JSON lines.
    ///
    /// - Throws: ``BenchmarkError`` with the number of a line that is no package.
    static func all(path: String) throws -> [PackageRow] {
        guard let data = FileManager.default.contents(atPath: path) else { throw BenchmarkError("cannot read the catalogue \(path)") }
        let decoder = JSONDecoder()
        return try data.split(separator: UInt8(ascii: "\n")).enumerated().map { place, line in
            do {
                return try decoder.decode(PackageRow.self, from: line)
            } catch {
                throw BenchmarkError("\(path), line \(place + 1), is no package: \(error)")
            }
        }
    }
}
