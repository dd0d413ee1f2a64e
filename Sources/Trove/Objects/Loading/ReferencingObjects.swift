/// The objects that point at an object with one of their properties: a relationship to many that is kept by its other side alone.
///
/// ```swift
/// @Model
/// final class Flight {
///     @Relationship(whenTargetDeleted: .cascade) var airline: Airline?
/// }
///
/// @Model
/// final class Airline {
///     var flights: ReferencingObjects<Flight> { ReferencingObjects(to: self, by: \.airline) }
/// }
///
/// airline.flights.insert(flight)                    // flight.airline = airline
/// let count = airline.flights.count
/// for flight in airline.flights { … }               // ascending by id, loads in batches
/// let delayed = try airline.flights.fetch().where { $0.delay > 60 }.sorted(by: \.date).all()
/// ```
///
/// Nothing of it is stored with the object pointed at. So adding one of a million objects, removing one and moving one to another object take the time of
/// a change of that one, where a stored relationship to many is written whole; see ``ObjectList`` for one that keeps an order of its own. What points where,
/// the index of the property tells, which every relationship has.
///
/// It shows what a fetch of the object's context shows, so with its pending changes, each time it is read. In no context an object has none: those that hold
/// it are not known to it. What getters cannot throw goes to ``ObjectContext/faultErrors``; ``fetch()`` throws it.
public struct ReferencingObjects<Element: LiveModel>: Sendable {
    /// The object that is pointed at.
    private let target: any LiveModel
    private let property: any PartialKeyPath<Element> & Sendable
    /// Lets an element point at the target, or no longer.
    private let link: @Sendable (Element, _ isLinked: Bool) -> Void

    private init(_ target: any LiveModel, _ property: any PartialKeyPath<Element> & Sendable, _ link: @escaping @Sendable (Element, Bool) -> Void) {
        self.target = target
        self.property = property
        self.link = link
    }

    /// The objects that point at an object with a relationship to one.
    public init<Target: LiveModel>(to target: Target, by property: any ReferenceWritableKeyPath<Element, Target?> & Sendable) {
        self.init(target, property) { element, isLinked in
            element[keyPath: property] = isLinked ? target : nil
        }
    }

    /// The objects that point at an object with a relationship to many; ``insert(_:)`` adds it at the end.
    public init<Target: LiveModel>(to target: Target, by property: any ReferenceWritableKeyPath<Element, [Target]> & Sendable) {
        self.init(target, property) { element, isLinked in
            if isLinked { element[keyPath: property].append(target) } else { element[keyPath: property].removeAll { $0 === target } }
        }
    }

    /// The objects that point at an object with a relationship to many; ``insert(_:)`` adds it at the end.
    public init<Target: LiveModel>(to target: Target, by property: any ReferenceWritableKeyPath<Element, ObjectList<Target>> & Sendable) {
        self.init(target, property) { element, isLinked in
            if isLinked { element[keyPath: property].append(target) } else { element[keyPath: property].remove(target) }
        }
    }

    /// The objects that point at an object with a relationship to many.
    public init<Target: LiveModel>(to target: Target, by property: any ReferenceWritableKeyPath<Element, Set<Target>> & Sendable) {
        self.init(target, property) { element, isLinked in
            if isLinked { element[keyPath: property].insert(target) } else { element[keyPath: property].remove(target) }
        }
    }

    // MARK: Reading

    /// A query for the objects, to be filtered, sorted, counted or deleted.
    ///
    /// - Throws: ``TroveError/notInContext(model:id:)`` when the object pointed at is in no context. The query throws
    ///   ``TroveError/invalidQuery(reason:)`` when the property is no relationship.
    public func fetch() throws -> Fetch<Element, ObjectContext> {
        guard let context = target.modelContext else { throw target.isNotInContext }
        return context.referencing(target, from: Element.self, property)
    }

    /// The number of objects. None is loaded.
    ///
    /// - Complexity: O(log *n* + *m*) with *m* of them: entries of the index are counted.
    public var count: Int { read(orElse: 0) { try $0.count() } }

    /// Whether there is none. None is loaded.
    ///
    /// - Complexity: O(log *n*).
    public var isEmpty: Bool { read(orElse: true) { try !$0.exists() } }

    /// Whether an object points at this one: what the object itself says, without a look at the store.
    public func contains(_ element: Element) -> Bool {
        do {
            let field = try field
            return element.live.withLock { _ in element._$targets(of: field) }.contains(target.reference)
        } catch {
            note(error)
            return false
        }
    }

    // MARK: Changing

    /// Lets an object point at this one. One in no context is inserted into the context of this one.
    ///
    /// An object of another context is refused, as by any relationship: the next save throws ``TroveError/foreignObject(model:id:)``. So is any when this one
    /// is deleted: ``TroveError/notInContext(model:id:)``.
    public func insert(_ element: Element) {
        let domain = target.live.domain
        if domain !== ObjectDomain.detached {
            do {
                try domain.withLock {
                    // What would point at a deleted object is not brought in for it.
                    if target.live.isDeleted { throw target.isNotInContext }
                    try domain.admit([element])
                }
            } catch {
                return domain.withLock { domain.tellRefusal(error) }
            }
        }
        if !contains(element) { link(element, true) }
    }

    /// Lets objects point at this one; see ``insert(_:)``.
    public func insert(contentsOf elements: some Sequence<Element>) {
        for element in elements { insert(element) }
    }

    /// Lets an object no longer point at this one; returns whether it did.
    @discardableResult
    public func remove(_ element: Element) -> Bool {
        guard contains(element) else { return false }
        link(element, false)
        return true
    }

    /// Lets no object point at this one any longer. All of them are loaded, in batches, and changed.
    public func removeAll() {
        for element in self { remove(element) }
    }

    // MARK: Reaching the context

    private var field: Int {
        get throws {
            let path = try Element.path(property)
            guard let field = Element.schema.fields.firstIndex(where: { $0.name == path.description && $0.relationship != nil }) else {
                throw TroveError.unsupportedKeyPath(model: Element.schema.name, keyPath: "\(property)")
            }
            return field
        }
    }

    /// The query, as getters read it; nil in no context, and when the context is gone, which is told.
    private var fetched: Fetch<Element, ObjectContext>? {
        if let context = target.modelContext { return context.referencing(target, from: Element.self, property) }
        let isOrphan = target.live.withLock { domain in domain !== ObjectDomain.detached && domain.host == nil }
        if isOrphan { MissingContext.report("referencing objects were read", of: target) }
        return nil
    }

    private func read<Result>(orElse other: Result, _ body: (Fetch<Element, ObjectContext>) throws -> Result) -> Result {
        do {
            return try Interruption.unheeded { try fetched.map(body) } ?? other
        } catch {
            note(error)
            return other
        }
    }

    /// Keeps an error that a getter cannot throw.
    private func note(_ error: any Error) {
        guard let context = target.modelContext else { return }
        context.domain.withLock { context.noteFault(error) }
    }
}

extension ReferencingObjects: Sequence {
    /// Iterates over the objects ascending by id, and loads some hundred at a time.
    ///
    /// Without pending changes at the beginning each batch is read in a snapshot of its own, so objects may be changed
    /// meanwhile; with some, all are read first.
    public struct Iterator: IteratorProtocol {
        private let objects: ReferencingObjects
        private var batches: ContextBatches<Element>?
        private var batch: ArraySlice<Element> = []

        fileprivate init(_ objects: ReferencingObjects) {
            self.objects = objects
            batches = objects.fetched.map { ContextBatches($0, size: 256) }
        }

        public mutating func next() -> Element? {
            while batch.isEmpty {
                do {
                    guard let next = try Interruption.unheeded({ try batches?.next() }) else { return nil }
                    batch = next[...]
                } catch {
                    objects.note(error)
                    batches = nil
                }
            }
            return batch.removeFirst()
        }
    }

    public func makeIterator() -> Iterator { Iterator(self) }
}
