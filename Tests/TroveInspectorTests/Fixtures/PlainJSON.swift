import Foundation

/// JSON as Foundation reads it, which knows nothing of what wrote it.
indirect enum PlainJSON: Equatable, Decodable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case list([PlainJSON])
    case object([String: PlainJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .int(number)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let list = try? container.decode([PlainJSON].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: PlainJSON].self))
        }
    }

    init(json text: String) throws { self = try JSONDecoder().decode(PlainJSON.self, from: Data(text.utf8)) }

    /// The value at names with points between.
    func value(at path: String) -> PlainJSON? {
        path.split(separator: ".").reduce(self as PlainJSON?) { value, name in
            if case .object(let members)? = value { members[String(name)] } else { nil }
        }
    }

    /// The elements; none of what is no array.
    var array: [PlainJSON] { if case .list(let elements) = self { elements } else { [] } }
    var number: Int64? { if case .int(let number) = self { number } else { nil } }
    var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The bytes of data with its tag.
    var data: Data? { value(at: "$data")?.text.flatMap { Data(base64Encoded: $0) } }
}
