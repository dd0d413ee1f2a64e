import Foundation
import Trove

/// A property list, in XML or binary.
final class PropertyListReader: SourceReader {
    private let rows: ValueRows
    private let value: StoredValue

    init(_ path: String, _ options: ImportSourceOptions) throws {
        rows = ValueRows(path: path, options: options)
        let bytes = try SourceFile.bytes(of: path)
        do {
            value = try StoredValue(propertyList: bytes)
        } catch let fault as PropertyListFault {
            throw ImportError.damaged(path: path, place: fault.place, reason: fault.reason)
        } catch {
            throw ImportError.damaged(path: path, place: "the property list in it", reason: "\(error)")
        }
    }

    var collectionNames: Set<String>? { rows.collectionNames(in: value) }

    var rowCount: Int? { if case .array(let elements) = value { elements.count } else { nil } }

    func forEach(_ body: (SourceEvent) throws -> Void) throws { try rows.forEach(in: value, body) }
}
