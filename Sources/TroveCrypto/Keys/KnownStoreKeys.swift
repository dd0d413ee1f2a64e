import Crypto

/// The keys that a store has, had, or will have if a change that was begun is committed; the newest last.
///
/// A transaction that began before a change needs the one before, and of a change it may not be known whether it was committed. With a key that is known a
/// record that somebody else has changed is unlocked without the root key, which may take most of a second to make of a passphrase.
struct KnownStoreKeys: Sendable {
    /// More changes of the key than happen during one transaction.
    private static let capacity = 16

    private var keys: [SymmetricKey]

    init(_ keys: [SymmetricKey] = []) { self.keys = keys }

    mutating func add(_ key: SymmetricKey) {
        if keys.contains(key) { return }
        keys.append(key)
        if keys.count > Self.capacity { keys.removeFirst() }
    }

    /// The keys of a record; nil when none of these is its store's.
    func unlock(_ record: KeyRecord, in place: Place) throws -> KeyRing? {
        for key in keys.reversed() {
            if let ring = try record.unlock(key, in: place) { return ring }
        }
        return nil
    }
}
