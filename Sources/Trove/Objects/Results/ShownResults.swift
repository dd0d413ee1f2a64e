import Synchronization

/// One state of a live list.
final class ResultSnapshot<Object: LiveModel>: Sendable {
    /// Grows from reading to reading of the list.
    let number: UInt64
    let result: ObservedResult<Object>
    let objects: [Object]

    init(number: UInt64, _ result: ObservedResult<Object>) {
        self.number = number
        self.result = result
        objects = result.rows.map(\.object)
    }

    /// Whether both have the same objects in the same order, with the same values.
    func isSame(as other: ResultSnapshot) -> Bool {
        result.rows.elementsEqual(other.result.rows) { $0.hash == $1.hash && $0.key == $1.key }
    }
}

/// A state that was read and is still to be shown.
struct ResultReading<Object: LiveModel>: Sendable {
    let next: ResultSnapshot<Object>
    /// What was shown when the sections were made.
    let former: ResultSnapshot<Object>
    /// Whether sections of it are other ones than those of `former`; nil for a list without sections.
    let hasOtherSections: Bool?

    /// Whether there is something to tell when it takes the place of a state.
    func changes(_ shown: ResultSnapshot<Object>) -> Bool {
        if let hasOtherSections, hasOtherSections || shown !== former { return true }
        return !shown.isSame(as: next)
    }
}

/// What a live list shows, which those have who wait for its changes: they do not keep the list.
final class ShownResults<Object: LiveModel>: Sendable {
    private struct State {
        var snapshot = ResultSnapshot<Object>(number: 0, ObservedResult(rows: []))
        var error: (any Error)?
        /// The number of the reading that began last.
        var begunNumber: UInt64 = 0
        /// That of the last one which has ended, well or not.
        var endedNumber: UInt64 = 0
        /// That of the last one whose result was compared with the snapshot.
        var shownNumber: UInt64 = 0
        var isEnded = false
        var waiting: [ObjectIdentifier: WakeUp] = [:]
        var sectionings: [WeakSectioning] = []
    }

    private struct WeakSectioning {
        weak var reference: (any ResultSectioning<Object>)?
    }

    private let state = Mutex(State())

    var snapshot: ResultSnapshot<Object> { state.withLock { $0.snapshot } }

    var error: (any Error)? { state.withLock { $0.error } }

    /// The present state, and whether no other follows.
    var last: (snapshot: ResultSnapshot<Object>, isEnded: Bool) { state.withLock { ($0.snapshot, $0.isEnded) } }

    /// Gives a reading its number, before it takes the changes that it shows: of two readings the one with the greater number shows at least all that was
    /// changed before the other began. The lock of the context's domain is held, in which the trigger is told of the reading too.
    func beginReading() -> UInt64 {
        state.withLock { state in
            state.begunNumber += 1
            return state.begunNumber
        }
    }

    /// Shows what a reading found, unless a later one has ended before.
    func show(_ reading: ResultReading<Object>) -> (isOther: Bool, endsError: Bool) {
        let next = reading.next
        while true {
            // They are compared without the lock, for which readers would wait.
            let former = snapshot
            let isOther = reading.changes(former)
            let change: (isOther: Bool, endsError: Bool, waiting: [WakeUp])? = state.withLock { state in
                if next.number <= state.shownNumber { return (false, false, []) }
                if state.snapshot !== former { return nil }
                state.shownNumber = next.number
                let endsError = state.error != nil && next.number > state.endedNumber
                if endsError { state.error = nil }
                state.endedNumber = max(state.endedNumber, next.number)
                if isOther { state.snapshot = next }
                return (isOther, endsError, isOther ? Array(state.waiting.values) : [])
            }
            guard let change else { continue }
            for wakeUp in change.waiting { wakeUp.note() }
            // It may be the last that has objects, which end without the lock.
            return withExtendedLifetime(former) { (change.isOther, change.endsError) }
        }
    }

    /// Keeps the error of a reading, unless a later one has ended before. Returns whether it is kept.
    func fail(_ error: any Error, _ number: UInt64) -> Bool {
        state.withLock { state in
            guard number > state.endedNumber else { return false }
            state.endedNumber = number
            state.error = error
            return true
        }
    }

    /// Ends the waiting for changes: the list or its context is gone.
    func end() {
        let waiting = state.withLock { state in
            state.isEnded = true
            return Array(state.waiting.values)
        }
        for wakeUp in waiting { wakeUp.note() }
    }

    func add(_ wakeUp: WakeUp) { state.withLock { $0.waiting[ObjectIdentifier(wakeUp)] = wakeUp } }

    func remove(_ wakeUp: WakeUp) { state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(wakeUp)) } }

    /// What divides the list into sections.
    var sectionings: [any ResultSectioning<Object>] { state.withLock { $0.sectionings.compactMap(\.reference) } }

    func add(_ sectioning: any ResultSectioning<Object>) {
        let present = state.withLock { state in
            let present = state.sectionings.compactMap(\.reference)
            state.sectionings = (present + [sectioning]).map { WeakSectioning(reference: $0) }
            return present
        }
        // One that somebody lets go of meanwhile ends without the lock.
        withExtendedLifetime(present) {}
    }
}
