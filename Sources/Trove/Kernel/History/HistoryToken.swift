/// A place in a store's history: all changes up to one entry.
///
/// Keep the last one that was dealt with, as a text or by `Codable`, and go on from there: ``ObjectStore/history(after:of:limit:)``.
/// It belongs to one store; another one refuses it.
public struct HistoryToken: Sendable, Hashable {
    /// The number of the entry; 0 before the first.
    let number: UInt64
    /// What the entry was given by chance, which tells it from one of the same number in another store.
    let stamp: UInt64

    /// The place before the first entry that a store has ever had.
    public static let start = HistoryToken(number: 0, stamp: 0)
}

/// The order of a store's entries.
extension HistoryToken: Comparable {
    public static func < (left: HistoryToken, right: HistoryToken) -> Bool { (left.number, left.stamp) < (right.number, right.stamp) }
}

/// A text as `12-00ab34cd56ef7890`.
extension HistoryToken: LosslessStringConvertible {
    public var description: String { "\(number)-\(withUnsafeBytes(of: stamp.bigEndian) { $0.hexadecimal })" }

    /// Nil for a text that no token has.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 16, let number = UInt64(parts[0]), let stamp = UInt64(parts[1], radix: 16) else { return nil }
        self.init(number: number, stamp: stamp)
        guard self.description == description else { return nil }
    }
}

extension HistoryToken: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let token = HistoryToken(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no token of a store's history")
        }
        self = token
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
