/// The keys of a store as transactions have seen them: the newest, and others that snapshots still have.
///
/// A snapshot that began before the keys were changed has the old ones, which must not become everybody's again: with them a property counts as
/// open that has been closed since.
struct SeenKeys {
    /// How many are kept beside the newest, so that nobody unlocks them twice; a passphrase takes its time.
    private static let maxOthers = 4

    private(set) var newest: any FieldSealer
    /// How often others became the newest.
    private(set) var replacements = 0
    /// The others, that of the last call last.
    private var others: [any FieldSealer] = []

    init(_ sealer: any FieldSealer) { newest = sealer }

    /// The keys of a record that was seen; nil when it was not, or long ago.
    func sealer(of record: [UInt8]) -> (any FieldSealer)? {
        newest.keyRecord == record ? newest : others.first { $0.keyRecord == record }
    }

    /// Takes the keys that a snapshot has, and returns those that stand for them.
    mutating func take(_ sealer: any FieldSealer, begunAfter replacements: Int?) -> any FieldSealer {
        if let known = self.sealer(of: sealer.keyRecord) { return known }
        if replacements == self.replacements { replace(with: sealer) } else { keep(sealer) }
        return sealer
    }

    /// Makes keys the newest.
    mutating func replace(with sealer: any FieldSealer) {
        if newest === sealer { return }
        others.removeAll { $0 === sealer }
        keep(newest)
        newest = sealer
        replacements += 1
    }

    private mutating func keep(_ sealer: any FieldSealer) {
        if others.count == Self.maxOthers { others.removeFirst() }
        others.append(sealer)
    }
}
