import Trove

/// A request that was read to its end and is well formed; whether it may be answered is another matter.
struct HTTPRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    let method: Method
    /// The path as it was sent: letters, digits, `/`, `.`, `-` and `_`, nothing encoded.
    let path: String
    /// The names and values behind the `?`, decoded.
    let query: FormFields
    /// The headers that ``RequestReader`` lets through, by lower-case names; each is there once.
    let headers: [String: String]
    let body: [UInt8]
}

/// What makes a request one that is not answered as it asks.
struct HTTPRefusal: Error, Equatable {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// Names with values, as a query or a form has them.
struct FormFields: Sendable, Equatable {
    /// The name of a field of forms that has others in it, encoded once more.
    static let exactName = "exact"

    private var values: [String: String] = [:]

    init() {}

    /// Reads `name=value&…`. A name may come once.
    ///
    /// - Throws: ``HTTPRefusal`` for what is not well formed: half an escape, bytes that are not UTF-8, a name twice.
    init(encoded text: some Sequence<UInt8>) throws {
        let bytes = Array(text)
        if bytes.isEmpty { return }
        for part in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let place = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try Self.decoded(part[..<place])
            let value = place == part.endIndex ? "" : try Self.decoded(part[part.index(after: place)...])
            guard values.updateValue(value, forKey: name) == nil else { throw HTTPRefusal(400, "a name stands twice in the query or form") }
        }
    }

    /// The value of a name; nil when it is not there, or empty.
    subscript(name: String) -> String? {
        get { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        set { values[name] = newValue }
    }

    /// The value of a name, which may be empty, as an id is.
    func text(_ name: String) -> String? { values[name] }

    /// Takes in the names of others, which are not there yet.
    ///
    /// - Throws: ``HTTPRefusal`` for one that is.
    mutating func add(_ others: FormFields) throws {
        try values.merge(others.values) { _, _ in throw HTTPRefusal(400, "a name stands twice in the query or form") }
    }

    /// `name=value&…`, in the order of the names.
    var encoded: String {
        values.sorted { $0.key < $1.key }.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws -> String {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): result.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.value), let low = rest.popFirst().flatMap(Hexadecimal.value) else {
                    throw HTTPRefusal(400, "an escape is cut off or no number")
                }
                result.append(high << 4 | low)
            default: result.append(byte)
            }
        }
        guard let text = String(validating: result, as: UTF8.self) else { throw HTTPRefusal(400, "a value is not UTF-8") }
        return text
    }
}
