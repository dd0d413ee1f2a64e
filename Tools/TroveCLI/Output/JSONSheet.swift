import Trove
import TroveStoreTools

/// An object for each row: a line each, or the elements of an array.
final class JSONSheet: Sheet {
    private let columns: [Column]
    private let output: Output
    private let isArray: Bool
    private let json: JSONText
    private var isFirst = true

    init(_ columns: [Column], on output: Output, isArray: Bool) {
        self.columns = columns
        self.output = output
        self.isArray = isArray
        json = JSONText(isForTerminal: output.terminal.isTerminal)
    }

    func add(_ row: [StoredValue?]) throws {
        try addObject { bytes in
            var isFirst = true
            for (column, value) in zip(columns, row) {
                guard let value else { continue }
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                json.appendName(column.name, isData: column.isData, to: &bytes)
                try json.append(value, to: &bytes)
            }
        }
    }

    /// Writes an object of which `body` appends what stands between the braces. When it throws, nothing of the object is written.
    func addObject(_ body: (inout [UInt8]) throws -> Void) throws {
        let lead = isArray ? (isFirst ? "[\n" : ",\n") : ""
        try output.append { bytes in
            let start = bytes.count
            bytes.append(contentsOf: lead.utf8)
            bytes.append(UInt8(ascii: "{"))
            do {
                try body(&bytes)
            } catch {
                bytes.removeSubrange(start...)
                throw error
            }
            isFirst = false
            bytes.append(UInt8(ascii: "}"))
            if !isArray { bytes.append(UInt8(ascii: "\n")) }
        }
    }

    func finish() throws {
        if isArray { try output.write(isFirst ? "[]\n" : "\n]\n") }
    }
}
