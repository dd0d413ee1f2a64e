/// A key in a program: a few bytes, and how long it is made by repeating the last of them. As text `61ff` or `61ff*400`.
public struct ProgramKey: Hashable, Sendable {
    /// The first bytes.
    public var start: [UInt8]
    /// The length of the key, at least that of ``start``.
    public var length: Int

    /// A key of `start`, with its last byte repeated up to `length`.
    public init(_ start: [UInt8], length: Int = 0) {
        self.start = start
        self.length = start.isEmpty ? 0 : max(length, start.count)
    }

    /// The key itself.
    public var bytes: [UInt8] {
        guard let last = start.last else { return [] }
        return start + [UInt8](repeating: last, count: length - start.count)
    }

    /// The key without repetitions; empty when there are none.
    var simplerForms: [ProgramKey] { length > start.count ? [ProgramKey(start)] : [] }
}

extension ProgramKey: Codable, CustomStringConvertible {
    public var description: String {
        let digits = start.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return length > start.count ? "\(digits)*\(length)" : digits
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let parts = try container.decode(String.self).split(separator: "*", omittingEmptySubsequences: false)
        let digits = Array(parts[0])
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0..<min($0 + 2, digits.count)]), radix: 16) }
        let length = parts.count == 2 ? Int(parts[1]) : 0
        guard let length, parts.count <= 2, !bytes.contains(nil) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a key is hexadecimal digits, with '*' and its length when the last byte repeats")
        }
        self.init(bytes.compactMap { $0 }, length: length)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
