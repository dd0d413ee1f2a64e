import Observation
import Synchronization

extension LiveResults {
    /// The list in sections: the objects with the same value are one.
    ///
    /// ```swift
    /// let songs = try context.fetch(Song.self).sorted(by: \.artist).results()
    /// let artists = songs.sectioned(by: \.artist)
    /// for artist in artists {
    ///     print(artist.value)
    ///     for song in artist { print("  ", song.title) }
    /// }
    /// let letters = songs.sectioned { $0.title.prefix(1).uppercased() }
    /// ```
    ///
    /// The sections come in the order in which the list first has their values, and the objects of each in the order of the list; so sort by what the sections
    /// are made by first.
    ///
    /// - Parameter value: gives an object's section. It is called for each object when the list is read, on the thread that reads, and here, on this one; also
    ///   by one who takes the sections while the list changes, so that it may be called twice for one state, by two threads at once. No lock is held; it may
    ///   use the object and those it refers to. A change of another object, of a model that the query does not read, begins no reading.
    /// - Complexity: O(*n*), and as much for each reading of the list.
    public func sectioned<Value>(by value: @escaping @Sendable (Object) -> Value) -> SectionedResults<Object, Value> {
        let sections = SectionedResults(self, value)
        shown.add(sections)
        _ = sections.sections
        return sections
    }
}

/// A live list in sections, which change with it; see ``LiveResults/sectioned(by:)``.
///
/// It keeps its list. What ``LiveResults`` says about threads and Observation holds for it too.
public final class SectionedResults<Object: LiveModel, Value: Hashable & Sendable>: Observable, Sendable {
    /// The list without sections, whose changes and errors are those of this one.
    public let results: LiveResults<Object>
    private let value: @Sendable (Object) -> Value
    private let known = Mutex(Known())

    private struct Known {
        /// The sections of the list's state, and of the one that follows, by the numbers of these.
        var sections: [UInt64: [ResultSection<Object, Value>]] = [:]
        /// The number of the list's state: those below are over.
        var leastNumber: UInt64 = 0
    }

    init(_ results: LiveResults<Object>, _ value: @escaping @Sendable (Object) -> Value) {
        self.results = results
        self.value = value
    }

    /// The sections as they are now. An array does not change: take it once where several accesses belong together.
    ///
    /// - Complexity: O(1).
    public var sections: [ResultSection<Object, Value>] { sections(of: results.snapshot) }

    private func sections(of snapshot: ResultSnapshot<Object>) -> [ResultSection<Object, Value>] {
        if let sections = known.withLock({ $0.sections[snapshot.number] }) { return sections }
        return divided(snapshot)
    }

    /// The sections of a state, which are kept until a later one is shown: who took the state before that keeps them alone.
    private func divided(_ snapshot: ResultSnapshot<Object>) -> [ResultSection<Object, Value>] {
        let sections = divide(snapshot)
        // What they take the place of, made by another thread, has the same objects.
        known.withLock { if snapshot.number >= $0.leastNumber { $0.sections[snapshot.number] = sections } }
        return sections
    }

    private func divide(_ snapshot: ResultSnapshot<Object>) -> [ResultSection<Object, Value>] {
        var places: [Value: Int] = [:]
        var parts: [(value: Value, objects: [Object])] = []
        for object in snapshot.objects {
            let value = value(object)
            let place = places[value] ?? parts.count
            if place == parts.count {
                places[value] = place
                parts.append((value, []))
            }
            parts[place].objects.append(object)
        }
        return parts.map { ResultSection(value: $0.value, objects: $0.objects) }
    }
}

extension SectionedResults: ResultSectioning {
    func prepare(_ next: ResultSnapshot<Object>, after former: ResultSnapshot<Object>) -> Bool {
        let sections = divided(next)
        guard let before = known.withLock({ $0.sections[former.number] }) else { return true }
        return !sections.elementsEqual(before) { $0.value == $1.value && $0.objects == $1.objects }
    }

    func forget(_ snapshot: ResultSnapshot<Object>, isShown: Bool) {
        // The objects that only they have end without the lock.
        let former = known.withLock { known in
            let former = known.sections
            if isShown { known.leastNumber = Swift.max(known.leastNumber, snapshot.number) }
            known.sections = former.filter { $0.key >= known.leastNumber && (isShown || $0.key != snapshot.number) }
            return former
        }
        withExtendedLifetime(former) {}
    }
}

/// What is to know the states of a live list before they are shown.
protocol ResultSectioning<Object>: AnyObject, Sendable {
    associatedtype Object: LiveModel

    /// Is called with each state that the list may be about to show, and returns whether its sections are other ones than those of the state before.
    func prepare(_ next: ResultSnapshot<Object>, after former: ResultSnapshot<Object>) -> Bool

    /// Is called when the list shows a state and those before are over, or when it does not show it.
    func forget(_ snapshot: ResultSnapshot<Object>, isShown: Bool)
}
