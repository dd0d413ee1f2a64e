import Dispatch

/// The live lists of a context, and where they are read; the lock of the context's domain guards it.
struct ContextLists {
    private struct Member {
        let trigger: RefetchTrigger
        let classes: ConcerningClasses
    }

    /// Not that of automatic saves, which would wait for readings, and they for them.
    let queue = DispatchQueue(label: "trove.context.results")
    private var members: [Member] = []

    mutating func add(_ trigger: RefetchTrigger, _ classes: ConcerningClasses) {
        members.removeAll { $0.trigger.isEnded }
        members.append(Member(trigger: trigger, classes: classes))
    }

    func note(_ model: ObjectIdentifier, deletes: Bool) {
        for member in members where member.classes.contain(model, deletes: deletes) { member.trigger.note() }
    }

    func noteAll() {
        for member in members { member.trigger.note() }
    }

    /// Whether no reading is to come.
    var areSettled: Bool { members.allSatisfy(\.trigger.isSettled) }

    func end() {
        for member in members { member.trigger.end() }
    }
}

/// The classes whose unsaved changes can change what a query finds: of the models it looks at, and of those whose changes reach these by rules and inverses.
struct ConcerningClasses {
    private var changed: Set<ObjectIdentifier> = []
    private var deleted: Set<ObjectIdentifier> = []

    /// - Throws: ``TroveError/invalidQuery(reason:)`` when the filter is too large to be looked through.
    init(_ draft: QueryDraft, _ core: StoreCore, _ classes: [String: any LiveModel.Type]) throws {
        let looked = try ObservedModels(of: draft, core).names
        for (name, type) in classes {
            func concerns(deletes: Bool) -> Bool { core.modelsConcerned(by: [name: deletes]).map { !$0.isDisjoint(with: looked) } ?? true }
            if concerns(deletes: false) { changed.insert(ObjectIdentifier(type)) }
            if concerns(deletes: true) { deleted.insert(ObjectIdentifier(type)) }
        }
    }

    func contain(_ model: ObjectIdentifier, deletes: Bool) -> Bool { (deletes ? deleted : changed).contains(model) }
}

extension ObjectContext {
    /// Lets a list be told of changes until it ends, and returns where it is to be read.
    func follow(_ trigger: RefetchTrigger, of classes: ConcerningClasses) -> DispatchQueue {
        domain.withLock {
            var lists = state.lists ?? ContextLists()
            lists.add(trigger, classes)
            state.lists = lists
            return lists.queue
        }
    }

    /// Tells live lists that an object of a class has changed, come or gone; the lock is held.
    func tellLists(_ type: any LiveModel.Type, deletes: Bool) {
        if let lists = state.lists { lists.note(ObjectIdentifier(type), deletes: deletes) }
    }

    /// Tells live lists of all that a save or roll-back is about; the lock is held.
    func tellLists(_ objects: [PendingObject]) {
        guard let lists = state.lists else { return }
        for model in Set(objects.map { ObjectIdentifier(type(of: $0.object)) }) { lists.note(model, deletes: true) }
    }
}
