/// The lazy values of a context's objects: those that it has in memory itself, and those of its store.
final class ContextAnnexes: AnnexSource {
    private let annexes: AnnexTable
    private let core: StoreCore
    private weak let context: ObjectContext?

    init(_ context: ObjectContext) {
        annexes = context.annexes
        core = context.core
        self.context = context
    }

    var store: AnyObject? { core }

    func provider(of id: AnnexID) -> (any AnnexProvider)? {
        guard let provider = annexes[id], provider.isInMemory else { return nil }
        return provider
    }

    func withAnnex(_ annex: StoredAnnex, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        if let provider = provider(of: annex.id) { return try provider.annexBytes().withUnsafeBytes(body) }
        do {
            if let transaction = context?.activeTransaction { return try transaction.withAnnex(annex, body) }
            try core.read { try $0.withAnnex(annex, body) }
        } catch let error as TroveError {
            // The value may have come from another store or record, and is not stored here yet.
            guard case .lazyValueGone = error, let other = annexes[annex.id]?.stored, other.isElsewhere(than: annex, of: core) else { throw error }
            try other.withBytes(body)
        }
    }

    func onReader<Result: Sendable>(for annex: StoredAnnex, _ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await core.readPool.run(body)
    }
}

extension ObjectContext {
    /// Where the lazy values are found of records of a model that the context has; nil where there are none.
    func lazyValues(of model: ModelBinding) -> ContextAnnexes? { model.layout.lazyFields.isEmpty ? nil : ContextAnnexes(self) }

    /// What the record of an annex has now in the annex's field; nil when there is no such record.
    func storedForm(of annex: StoredAnnex) throws -> LazyForm? {
        if let transaction = activeTransaction { return try transaction.lazyForm(of: annex) }
        return try core.read { try $0.lazyForm(of: annex) }
    }

    /// Forgets the lazy values that pending objects had between two cuts, in a context without undo: each time they are cut they
    /// offer those that they have. The lock is held.
    func forgetSupersededAnnexes() {
        guard state.history == nil, annexes.all.count > 2 * state.keptAnnexes else { return }
        do {
            var ids = state.annexesElsewhere
            for pending in state.pending { ids.formUnion(try annexIDs(in: pending.object.live.image, of: type(of: pending.object))) }
            for ghost in state.ghosts.values { ids.formUnion(try annexIDs(in: ghost.record, of: ghost.type)) }
            annexes.keep(ids)
        } catch {
            // What cannot be read may have any of them.
            return
        }
        state.keptAnnexes = max(1, annexes.all.count + state.pending.count)
    }

    /// Remembers who has lazy values of a record that is to be another object's, and that lie elsewhere: in another store, or with the record they come from.
    /// The lock is held.
    func keepLazyValues(of record: StoredRecord, _ fields: some Sequence<String>) {
        for field in fields {
            if let id = record.annexID(of: field), let provider = annexes[id], !provider.isInMemory { state.annexesElsewhere.insert(id) }
        }
    }

    /// Lets objects whose lazy values came from another store read them from this one, where a save has put them. The lock is held.
    func takeHomeLazyValues(of cut: ChangeCut) {
        if cut.annexes.isEmpty { return }
        let foreign = Set(cut.annexes.filter { $0.value.stored?.isOfOther(than: core) ?? false }.keys)
        if foreign.isEmpty { return }
        for object in cut.entries.lazy.map(\.object) where object.live.status == .clean {
            do {
                let record = try encoded(object)
                if try !foreign.isDisjoint(with: annexIDs(in: record, of: type(of: object))) { try assign(record, to: object) }
            } catch {
                noteFault(error)
            }
        }
    }

    /// What has the lazy values of a record in the current layout of a class, of those that the context keeps; none of a record that cannot be read.
    func annexOffers(in image: [UInt8], of type: any LiveModel.Type) -> [AnnexOffer] {
        do {
            return try annexIDs(in: image, of: type).compactMap { id in annexes[id].map { AnnexOffer(id: id, provider: $0) } }
        } catch {
            return []
        }
    }

    /// The lazy values that a record in the current layout of a model has apart.
    fileprivate func annexIDs(in image: [UInt8]?, of type: any LiveModel.Type) throws -> [AnnexID] {
        let layout = try core.binding(for: type).layout
        guard let image, !layout.lazyFields.isEmpty else { return [] }
        return try image.withUnsafeBytes { try AnnexSpace.ids(in: $0, key: UnsafeRawBufferPointer(start: nil, count: 0), layout) }
    }

    /// Forgets the lazy values that no pending change and no step to undo has. The lock is held.
    func forgetAnnexes() {
        let count = annexes.all.count
        // What came and went while a save was under way is still to be written by the next.
        guard count > 0, state.pending.isEmpty, state.ghosts.isEmpty else { return }
        state.annexesElsewhere = []
        guard let history = state.history else {
            state.keptAnnexes = 1
            return annexes.keep([])
        }
        // To look through all steps each time would take longer than the memory is worth.
        guard count > 2 * state.keptAnnexes, !history.isInGroup else { return }
        do {
            annexes.keep(try history.annexIDs)
        } catch {
            // What cannot be read may have any of them.
            return
        }
        state.keptAnnexes = max(1, annexes.all.count)
    }
}

extension UndoHistory {
    /// The lazy values of the objects as they were before and after the steps.
    fileprivate var annexIDs: Set<AnnexID> {
        get throws {
            var ids: Set<AnnexID> = []
            func add(_ image: [UInt8]?, _ type: any LiveModel.Type) throws { ids.formUnion(try context.annexIDs(in: image, of: type)) }
            for step in done + undone {
                for entry in step.entries {
                    try add(entry.before, type(of: entry.object))
                    try add(entry.after, type(of: entry.object))
                }
                for effect in step.sideEffects {
                    try add(effect.before, effect.type)
                    try add(effect.after, effect.type)
                }
            }
            return ids
        }
    }
}
