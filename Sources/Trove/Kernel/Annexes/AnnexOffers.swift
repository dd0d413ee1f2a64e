import Synchronization

/// What has the bytes of annexes in memory that records have which are to be stored, by the annexes' ids.
struct AnnexOffers {
    /// Those of the record that is being stored.
    private var current: [AnnexOffer] = []
    /// Those of all that the transaction stores, as a context knows them.
    private var kept: [AnnexID: any AnnexProvider] = [:]

    /// What has an annex, in memory if it can be.
    subscript(id: AnnexID) -> (any AnnexProvider)? {
        if current.isEmpty && kept.isEmpty { return nil }
        let offered = current.lazy.filter { $0.id == id }.map(\.provider)
        return offered.first(where: \.isInMemory) ?? kept[id] ?? offered.first
    }

    /// Tells all that have an annex that it is stored.
    func noteStored(_ id: AnnexID) {
        for offer in current where offer.id == id { offer.provider.annexIsStored() }
        kept[id]?.annexIsStored()
    }

    /// Takes up what a record offers.
    mutating func begin(_ offers: [AnnexOffer]) { current += offers }

    /// Forgets as many as were taken up last.
    mutating func end(_ count: Int) { current.removeLast(count) }

    /// Takes up what stays until the transaction's end.
    mutating func keep(_ annexes: [AnnexID: any AnnexProvider]) { kept.merge(annexes) { $0.isInMemory ? $0 : $1 } }

    /// Takes up what a record offers until the transaction's end.
    mutating func keep(_ offers: [AnnexOffer]) {
        for offer in offers where offer.provider.isInMemory || kept[offer.id] == nil { kept[offer.id] = offer.provider }
    }
}

/// The annexes of a record that is in memory alone.
final class OfferedAnnexes: AnnexSource {
    private let offers: [AnnexOffer]

    init(_ offers: [AnnexOffer]) {
        self.offers = offers
    }

    var store: AnyObject? { nil }

    func provider(of id: AnnexID) -> (any AnnexProvider)? { offers.first { $0.id == id }?.provider }

    func withAnnex(_ annex: StoredAnnex, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let provider = provider(of: annex.id) else { throw annex.gone }
        try provider.annexBytes().withUnsafeBytes(body)
    }

    func onReader<Result: Sendable>(for annex: StoredAnnex, _ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        // What is in memory waits for nothing.
        guard let stored = provider(of: annex.id)?.stored else { return try body() }
        return try await stored.onReader(body)
    }
}

/// The annexes that a context's objects, pending changes and steps to undo have and that may not be stored.
final class AnnexTable: Sendable {
    private let providers = Mutex<[AnnexID: any AnnexProvider]>([:])

    subscript(id: AnnexID) -> (any AnnexProvider)? { providers.withLock { $0[id] } }

    /// All of them.
    var all: [AnnexID: any AnnexProvider] { providers.withLock(\.self) }

    /// Keeps what a record offers. What would have to be read does not take the place of what is in memory.
    func add(_ offers: [AnnexOffer]) {
        if offers.isEmpty { return }
        providers.withLock { providers in
            for offer in offers where offer.provider.isInMemory || providers[offer.id] == nil { providers[offer.id] = offer.provider }
        }
    }

    /// Forgets all annexes but these.
    func keep(_ ids: Set<AnnexID>) { providers.withLock { providers in providers = providers.filter { ids.contains($0.key) } } }
}

extension WriteTransaction {
    /// Runs `body`, which stores the record in a buffer.
    func offering<Result>(_ buffer: borrowing RecordBuffer, _ body: () throws -> Result) rethrows -> Result {
        let annexes = buffer.record.annexes
        if annexes.isEmpty { return try body() }
        return try offering(annexes, body)
    }

    /// Runs `body`, which stores records with these annexes.
    func offering<Result>(_ annexes: [AnnexOffer], _ body: () throws -> Result) rethrows -> Result {
        offers.begin(annexes)
        defer { offers.end(annexes.count) }
        return try body()
    }
}

/// Records of a context whose lazy values somebody else has replaced, or deleted with their record, since the context read them.
extension WriteTransaction {
    /// The names of the fields of a record whose annexes nobody has: neither the store, nor anybody in memory, nor the store that the object came from.
    ///
    /// - Parameter key: the engine's key of the record.
    func lostLazyFields(of record: UnsafeRawBufferPointer, key: [UInt8], _ model: OpenModel) throws -> [String] {
        guard model.hasLazyFields else { return [] }
        let layout = model.binding.layout
        let keyspace = try reader.keyspace(named: AnnexSpace.name(of: layout.modelName))
        return try key.withUnsafeBytes { keyBytes in
            let view = try RecordView(trusting: record, key: keyBytes, layout: layout)
            return try layout.lazyFields.map { layout.fields[$0] }.filter { field in
                guard let id = try LazyForm.annexID(in: view.variable(field.place)) else { return false }
                if let provider = annexProvider(of: id),
                    provider.stored.map({ $0.recordKey != key || $0.modelName != layout.modelName || $0.isOfOther(than: core) }) ?? true
                {
                    return false
                }
                guard let keyspace else { return true }
                return try !reader.contains(AnnexSpace.key(of: id, key), in: keyspace)
            }.map(\.name)
        }
    }

    /// A record of a context in which the lazy values that are lost are those that are stored now; nil when none is lost.
    ///
    /// - Parameter stored: the record that is stored, in the model's current layout.
    func takingOver(_ stored: [UInt8], in record: UnsafeRawBufferPointer, key: [UInt8], _ model: OpenModel) throws -> [UInt8]? {
        let lost = try lostLazyFields(of: record, key: key, model)
        if lost.isEmpty { return nil }
        var mended = try storedRecord(record.bytes, key: key.span.bytes)
        let theirs = try storedRecord(stored.span.bytes, key: key.span.bytes)
        for field in lost { mended.copy(field, from: theirs) }
        var buffer = RecordBuffer()
        try buffer.encode(mended, model.binding.layout)
        offers.keep(buffer.record.annexes)
        return buffer.withBytes { _, bytes in [UInt8](copying: bytes) }
    }
}
