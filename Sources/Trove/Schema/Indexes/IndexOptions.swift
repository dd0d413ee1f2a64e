/// How much a blind index shows of an encrypted property: see ``AttributeOption/blind(bits:spread:)``.
public struct BlindOptions: Sendable, Hashable {
    /// How many bits its hashes have.
    public let bits: Int
    /// How many hashes a value has, of which each object gets one by chance.
    public let spread: Int
    /// Whether no two objects may have the same values.
    public let isUnique: Bool

    static let bitRange = 1...128
    static let spreadRange = 1...64

    /// Options for hashes of a width.
    ///
    /// What is out of range is told when the store is opened, by ``TroveError/invalidIndex(model:index:reason:)``.
    ///
    /// - Parameters:
    ///   - bits: 1 to 128.
    ///   - spread: 1 to 64.
    public init(bits: Int, spread: Int = 1) {
        self.bits = bits
        self.spread = spread
        isUnique = false
    }

    private init() {
        (bits, spread, isUnique) = (128, 1, true)
    }

    /// No two objects have the same values, unless one of them is nil. The hashes have 128 bits, so that no two values share one.
    public static let unique = BlindOptions()

    /// Why an index cannot be kept so; nil when it can.
    var problem: String? {
        if !Self.bitRange.contains(bits) { return "its hashes have \(bits) bits; give 1 to 128" }
        if !Self.spreadRange.contains(spread) { return "its values are spread over \(spread) hashes; give 1 to 64" }
        return nil
    }
}

extension BlindOptions {
    /// As the catalogue keeps it.
    var stored: StoredValue { .object(["bits": .int(Int64(bits)), "spread": .int(Int64(spread)), "unique": .bool(isUnique)]) }

    /// nil when it is not what ``stored`` wrote.
    init?(_ value: StoredValue) {
        guard case .int(let bits) = value.value(at: "bits"), case .int(let spread) = value.value(at: "spread"),
            case .bool(let isUnique) = value.value(at: "unique")
        else { return nil }
        self = isUnique ? .unique : BlindOptions(bits: Int(bits), spread: Int(spread))
        guard problem == nil, Int64(self.bits) == bits else { return nil }
    }
}

/// The rules by which a full-text index splits text into words.
///
/// ```swift
/// FullTextOptions(stemming: .english)
/// ```
///
/// Queries are analysed with the options of the index they ask, so "Café" finds "cafe" where marks are ignored.
public struct FullTextOptions: Sendable, Hashable {
    /// The language whose word endings are removed, so that "connections" is found as "connect"; nil to keep words as they are.
    public var stemming: StemmingLanguage?

    /// Whether accents are ignored, so that é and e, ё and е are the same letters.
    public var ignoresDiacritics: Bool

    /// The shortest word that is kept, in Unicode scalars; at least 1. Ideographs and other words of one character are always kept.
    public var minimumWordLength: Int

    /// Whether the index keeps the positions of words, which phrases need. Without, it is smaller.
    public var keepsPositions: Bool

    /// Creates options; by default words have no accents and no stemming, any length, and positions.
    public init(
        stemming: StemmingLanguage? = nil, ignoresDiacritics: Bool = true, minimumWordLength: Int = 1, keepsPositions: Bool = true
    ) {
        self.stemming = stemming
        self.ignoresDiacritics = ignoresDiacritics
        self.minimumWordLength = minimumWordLength
        self.keepsPositions = keepsPositions
    }
}

/// A language whose word endings a full-text index can remove.
public enum StemmingLanguage: String, Sendable, Hashable, CaseIterable {
    /// English, by Porter's second algorithm (Snowball's "english").
    case english
}
