/// One snapshot of a store, valid inside the closure of ``StorageBackend/read(_:)``.
///
/// Keys and values travel as `RawSpan`, so bytes go from the engine's own memory to the reader
/// without being copied. `[UInt8]` gives a span with `bytes.span.bytes`, and each method that takes one key takes `[UInt8]` too.
///
/// Every method but the hint ``prefetch(_:in:)`` throws ``StorageError/transactionFinished(_:)`` after the closure has returned;
/// ``StorageError/invalidKeyspace(_:)`` for a handle of another transaction, or of a keyspace that is there no more; what `body` throws; and another
/// ``StorageError`` when the engine fails, as ``StorageError/corrupt(_:)`` and ``StorageError/inputOutput(_:)``.
///
/// An engine that is far away waits for each answer. ``prefetch(_:in:)``, ``getMany(_:in:_:)``, the expected number of a scan,
/// ``scanKeys(_:in:order:expecting:_:)`` and ``count(of:in:)`` make the answers fewer or shorter; all but the first change nothing else.
public protocol StorageReader: AnyObject {
    /// What stands for the state that the snapshot shows: two reads of one backend that give the same stamp show the same state, whoever commits.
    ///
    /// Layers above keep what they have worked out of a state as long as it lasts, instead of looking whether it is still right. So a stamp is never given for
    /// another state, also after a compaction, and after commits of other processes; and asking costs less than a look-up. nil, the default, where the engine
    /// cannot tell, or not this time; always in a write transaction, and after the closure has returned.
    var stateStamp: StateStamp? { get }

    /// The keyspace with this name, or nil when the store has none. A transaction gives equal handles on the same keyspace.
    func keyspace(named name: String) throws -> Keyspace?

    /// The names of all keyspaces, ascending by their UTF-8 bytes.
    func keyspaceNames() throws -> [String]

    /// Calls `body` with the value of `key`; returns whether there is one.
    ///
    /// On a remote engine it is a round trip, unless the key was announced with ``prefetch(_:in:)``.
    ///
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``.
    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool

    /// Looks up many keys at once; calls `body` with the position of each key in `keys` and its value, nil when there is none,
    /// until it returns ``ScanStep/stop``.
    ///
    /// On a remote engine it is one round trip, and some engines in the process look up many keys faster than one after the other, so layers above ask in
    /// batches. `body` is called once for each key, in the order of `keys`.
    ///
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``.
    func getMany(
        _ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep
    ) throws

    /// Whether ``prefetch(_:in:)`` does anything. Where it is false, the default, callers make no lists of keys in vain.
    var prefetches: Bool { get }

    /// Announces keys that are about to be looked up, inserted or deleted one by one.
    ///
    /// A remote engine collects them, and asks for all in the one round trip of the next call that needs one of them; so a loop stays
    /// a loop, with this call before it. What follows answers the same with and without. Announce what will be needed: each key costs a
    /// transfer of its value.
    ///
    /// It is a hint: the default does nothing, not even look at its arguments. Keys that are refused elsewhere (empty or too long ones)
    /// are passed over.
    ///
    /// - Throws: ``StorageError/invalidKeyspace(_:)`` or ``StorageError/transactionFinished(_:)``, if anything.
    func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws

    /// Calls `body` with each entry of `range` in key order, until it returns ``ScanStep/stop``.
    ///
    /// This is the fast path for reading many entries. In a write transaction the body may change the
    /// keyspace: the scan goes on with the entry next in order after the current key, as the keyspace is then. After it has dropped the
    /// keyspace, the scan throws ``StorageError/invalidKeyspace(_:)`` instead of going on.
    /// On a remote engine it is a round trip for each page of entries, the first of which is small.
    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws

    /// The same scan with the number of entries that the caller expects to take; nil when it does not know.
    ///
    /// A remote engine asks for so many at once, which is one round trip and no entry too many. A wrong number costs time and nothing
    /// else: the scan ends where the range ends or the body stops it. The default is the scan without a number.
    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws

    /// Calls `body` with each key of `range` in key order, until it returns ``ScanStep/stop``; otherwise like
    /// ``scan(_:in:order:expecting:_:)``.
    ///
    /// For those who do not look at values: a remote engine leaves them where they are, and so do engines that keep large values apart.
    /// The default is a scan.
    func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws

    /// A cursor over the keyspace, for walks that change direction or merge several keyspaces.
    func cursor(in keyspace: Keyspace) throws -> any StorageCursor

    /// The number of entries in the keyspace.
    ///
    /// - Complexity: O(1) where ``StorageCapabilities/countsInConstantTime`` is true, otherwise O(*n*).
    func count(in keyspace: Keyspace) throws -> Int

    /// The number of entries in `range`.
    ///
    /// On a remote engine it is one round trip that moves no entry. The default scans the keys.
    ///
    /// - Complexity: O(*n*) for *n* entries in the range, or less.
    func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int

    /// Calls `body` with further readers of what this one sees, `count` at most, so that several threads can read it at once.
    ///
    /// Each of them sees exactly what this reader sees, whatever has been committed meanwhile. It is for one thread at a time, of any thread, until
    /// `body` returns; it has handles on keyspaces of its own. This reader goes on reading on its own thread meanwhile; a write transaction may
    /// change nothing before `body` returns.
    ///
    /// They are as many as the engine has at once, without waiting: often none when another commit has come since the snapshot was taken, or when
    /// the transaction has changed something; always none where ``StorageCapabilities/sharesSnapshots`` is false. So `body` has to do without.
    /// A reader around a reader has to wrap these as well, or give none.
    ///
    /// The default gives none.
    func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws
}
