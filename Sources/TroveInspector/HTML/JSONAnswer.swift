import Trove
import TroveStoreTools

/// What a page's `.json` says.
indirect enum JSONAnswer: Sendable {
    case value(StoredValue)
    case object([(String, JSONAnswer)])
    case array([JSONAnswer])
    /// An object that is written already, without its braces.
    case members([UInt8])

    static func text(_ text: String?) -> JSONAnswer { .value(text.map { .string($0) } ?? .null) }
    static func number(_ number: Int?) -> JSONAnswer { .value(number.map { .int(Int64($0)) } ?? .null) }
    static func flag(_ flag: Bool) -> JSONAnswer { .value(.bool(flag)) }

    private static let json = JSONText(isForTerminal: false)

    func append(to bytes: inout [UInt8]) throws {
        switch self {
        case .value(let value): try Self.json.append(value, to: &bytes)
        case .members(let members): bytes += [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (number, element) in elements.enumerated() {
                if number > 0 { bytes.append(UInt8(ascii: ",")) }
                try element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (number, member) in members.enumerated() {
                if number > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.json.appendName(member.0, isData: false, to: &bytes)
                try member.1.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}
