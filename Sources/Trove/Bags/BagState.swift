/// What a ``Bag`` holds in memory: what is stored, as it was last read or saved, and what was changed since.
struct BagState: Sendable {
    /// A member that was added and not saved.
    struct Addition {
        /// The object, when it was added and not a reference to it: it is stored with the bag if it is not stored by then.
        let object: (any Model)?
        /// The number of the save that was begun last when it was added.
        let epoch: Int
    }

    /// The bag as it is in the store, as far as is known; nil for one that was never saved.
    private(set) var saved: BagContents?
    private(set) var current: BagContents
    /// What was added since the last save, members that were there already among them: those are stored only where they are missing by then.
    private(set) var additions: [AnyReference: Addition] = [:]
    /// The members that are not saved.
    private(set) var unsaved: Set<AnyReference> = []
    /// The saved members that were removed.
    private(set) var removed: Set<AnyReference> = []
    /// The objects of an inflated bag; nil for a deflated one.
    private(set) var objects: [AnyReference: any Model]?
    /// What changes have let go of. It ends when the lock is free again: the end of a user's object may ask the bag.
    private var released: [any Sendable] = []
    /// The saves begun so far.
    private var epoch = 0
    /// The latest save that has ended well.
    private(set) var lastFinished = 0
    /// The saves that this has not been told the commit of; nothing is left of those that were undone.
    private var uncommitted: [UncommittedBagSave.Note] = []
    /// For each of them, by its number, the bag as it was when the save began, with what was read since: the rest of the difference
    /// to ``current`` is what was changed since.
    private var beginnings: [Int: BagContents] = [:]

    /// A new bag.
    init(name: String?) {
        current = BagContents(name: name)
    }

    /// A bag as it is stored.
    init(_ stored: StoredBag) {
        current = BagContents(stored)
        saved = current
    }

    var base: BagContents { saved ?? BagContents(name: nil) }

    /// The members that were added as documents and are not saved.
    var unsavedDocuments: Set<AnyReference> { unsaved.filter { additions[$0]?.object is Document } }

    var hasChanges: Bool {
        guard let saved else { return true }
        if !unsaved.isEmpty || !removed.isEmpty || !current.hasName(of: saved) { return true }
        return current.members != saved.members
    }

    /// What is to end now that the lock is free.
    mutating func takeReleased() -> [any Sendable] {
        if released.isEmpty { return [] }
        defer { released = [] }
        return released
    }

    /// Puts the members' objects in the place of those that are in memory; nil deflates the bag.
    mutating func replaceObjects(_ new: [AnyReference: any Model]?) {
        if let objects { released.append(objects) }
        objects = new
    }

    private mutating func replaceAdditions(_ new: [AnyReference: Addition]) {
        released.append(additions)
        additions = new
    }

    // MARK: Changes

    mutating func rename(_ name: String?) { current.name = name }

    /// Adds a member, at the end or at a position; one that is there already keeps its place in the first case. Returns whether it was not there.
    @discardableResult
    mutating func add(_ member: AnyReference, _ object: (any Model)?, at position: Int? = nil) -> Bool {
        let isNew = !current.members.contains(member)
        if let position { current.members.place(member, at: position) } else { current.members.append(member) }
        let known = additions[member]?.object
        if let known, object != nil { released.append(known) }
        additions[member] = Addition(object: object ?? known, epoch: epoch)
        if isNew, removed.remove(member) == nil { unsaved.insert(member) }
        return isNew
    }

    /// Takes a member out; returns whether it was there.
    @discardableResult
    mutating func remove(_ member: AnyReference) -> Bool {
        guard current.members.remove(member) else { return false }
        if let object = additions.removeValue(forKey: member)?.object { released.append(object) }
        if let object = objects?.removeValue(forKey: member) { released.append(object) }
        if unsaved.remove(member) == nil { removed.insert(member) }
        return true
    }

    /// Takes all changes back.
    mutating func undo() {
        current = base
        replaceAdditions([:])
        noteDifferences()
    }

    // MARK: Reading and saving

    /// Takes over what is stored, read after the save of the number `finished` had ended; returns whether it did: a later save has newer contents.
    mutating func reload(_ stored: StoredBag, keepingChanges: Bool, since finished: Int) -> Bool {
        guard finished == lastFinished else { return false }
        let stored = BagContents(stored)
        if keepingChanges {
            takeOver(stored, insteadOf: base)
        } else {
            current = stored
            replaceAdditions([:])
            for number in beginnings.keys { beginnings[number] = stored }
        }
        saved = stored
        noteDifferences()
        return true
    }

    /// What a save that begins now has to store. Called inside the save's transaction, so that numbers are in the order of commits.
    ///
    /// After another save in the transaction it is what was changed since that one began, which is in force though it is not committed. So it is after the save
    /// of a transaction whose commit is told after the engine has let this one in.
    ///
    /// - Parameters:
    ///   - stored: the bag as the transaction has it.
    ///   - meant: the new live objects that are stored, as a context's save has come for these; others stay for the next save. nil when all are.
    mutating func beginSave(in transaction: TransactionIdentity, _ stored: BagContents?, meant: Set<AnyReference>? = nil) -> BagChanges {
        epoch += 1
        let known = uncommitted.compactMap(\.save)
        // A transaction that ends meanwhile may leave the last reference to a save, and to its objects, here.
        if !known.isEmpty { released.append(known) }
        let saves = known.filter { $0.changes.number > lastFinished }
        uncommitted = saves.map { UncommittedBagSave.Note(save: $0) }
        beginnings = Dictionary(uniqueKeysWithValues: saves.compactMap { save in beginnings[save.changes.number].map { (save.changes.number, $0) } })
        var earlier: BagContents?
        if let last = saves.last, last.transaction === transaction || saves.allSatisfy({ $0.transaction !== last.transaction || $0.isIn(stored) }) {
            earlier = beginnings[last.changes.number]
        }
        let base = earlier ?? saved
        var meantContents = current
        if let meant {
            for (member, addition) in additions where unsaved.contains(member) && !meant.contains(member) {
                guard let object = addition.object as? any LiveModel, base?.members.contains(member) != true else { continue }
                meantContents.members.remove(member)
                // It counts as added since.
                additions[member] = Addition(object: object, epoch: epoch)
            }
        }
        beginnings[epoch] = meantContents
        return BagChanges(number: epoch, saved: base, current: meantContents, additions: additions.mapValues(\.object))
    }

    /// Takes note that a save has stored all it has to, and waits for its transaction's commit.
    mutating func noteSave(_ save: UncommittedBagSave) { uncommitted.append(UncommittedBagSave.Note(save: save)) }

    /// Takes note that a save was committed.
    mutating func finishSave(_ save: UncommittedBagSave) {
        let changes = save.changes
        guard changes.number > lastFinished else { return }
        lastFinished = changes.number
        replaceAdditions(additions.filter { $0.value.epoch >= changes.number })
        takeOver(save.contents, insteadOf: beginnings[changes.number] ?? changes.current)
        beginnings = beginnings.filter { $0.key > lastFinished }
        saved = save.contents
        if let objects, !save.inserted.isEmpty { replaceObjects(objects.merging(save.inserted) { $1 }) }
        noteDifferences()
    }

    /// Puts what is stored in the place of what was known of it, and leaves what was changed since.
    private mutating func takeOver(_ stored: BagContents, insteadOf base: BagContents) {
        current = current.merged(from: base, with: stored)
        for (number, beginning) in beginnings { beginnings[number] = beginning.merged(from: base, with: stored) }
    }

    private mutating func noteDifferences() {
        let (base, members) = (base.members, current.members)
        unsaved = Set(members.elements.filter { !base.contains($0) })
        removed = Set(base.elements.filter { !members.contains($0) })
        if let objects, objects.contains(where: { !members.contains($0.key) }) { replaceObjects(objects.filter { members.contains($0.key) }) }
    }
}

/// What one save of a bag has to store.
struct BagChanges: Sendable {
    /// The number of the save among those of this ``Bag``.
    let number: Int
    /// The bag as it was when it was read or saved last, or when the save before this one began; nil for one that was never saved.
    let saved: BagContents?
    /// The bag as it is to be.
    let current: BagContents
    /// The members that were added, with their objects where these were added.
    let additions: [AnyReference: (any Model)?]

    /// The bag as it is to be stored, when it is `stored` now.
    func merged(with stored: BagContents?) -> BagContents {
        guard let stored else { return current }
        return current.merged(from: saved ?? BagContents(name: nil), with: stored)
    }
}

/// A save that is stored and not committed yet. Only the transaction keeps it, until the commit or until the save is undone.
final class UncommittedBagSave: Sendable {
    /// What a bag knows of it: nothing once it is undone.
    struct Note: Sendable {
        weak var save: UncommittedBagSave?
    }

    let transaction: TransactionIdentity
    let changes: BagChanges
    /// What it stored.
    let contents: BagContents
    /// The objects that it stored.
    let inserted: [AnyReference: any Model]

    init(_ changes: BagChanges, _ contents: BagContents, inserted: [AnyReference: any Model], in transaction: TransactionIdentity) {
        self.transaction = transaction
        self.changes = changes
        self.contents = contents
        self.inserted = inserted
    }

    /// Whether what it changed is in what is stored.
    func isIn(_ stored: BagContents?) -> Bool {
        guard let stored = stored?.members else { return false }
        let (before, after) = (changes.saved?.members ?? MemberList(), changes.current.members)
        return after.elements.allSatisfy { before.contains($0) || stored.contains($0) }
            && before.elements.allSatisfy { after.contains($0) || !stored.contains($0) }
    }
}

/// A bag's name and members at one time.
struct BagContents: Sendable, Equatable {
    var name: String?
    var members: MemberList

    init(name: String?, members: MemberList = MemberList()) {
        self.name = name
        self.members = members
    }

    init(_ stored: StoredBag) {
        self.init(name: stored.name, members: MemberList(stored.members))
    }

    /// Whether the names are one: texts of the same bytes, or none.
    func hasName(of other: BagContents) -> Bool { name.hasKey(of: other.name) }

    static func == (left: BagContents, right: BagContents) -> Bool { left.hasName(of: right) && left.members == right.members }

    /// What becomes of contents that were changed in two places at once: of two new names, these contents' counts.
    func merged(from base: BagContents, with other: BagContents) -> BagContents {
        BagContents(name: hasName(of: base) ? other.name : name, members: members.merged(from: base.members, with: other.members))
    }
}
