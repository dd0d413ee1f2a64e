import Dispatch

// All with the lock of the domain held.
extension ObjectContext {
    /// Begins to count changes anew.
    func resetChangeLimit() {
        domain.changesLeft = options.autosave.changeCount ?? .max
    }

    /// Counts an insertion or deletion as a change.
    func countChange() {
        domain.changesLeft &-= 1
        if domain.changesLeft == 0 { didReachChangeLimit() }
    }

    /// Saves when the time has passed that changes may wait, if there is one.
    func saveLater() {
        guard let interval = options.autosave.interval, !state.isTimed else { return }
        state.isTimed = true
        queue.asyncAfter(deadline: .now() + interval.dispatched) { [weak self] in
            guard let self else { return }
            domain.withLock { state.isTimed = false }
            saveUnattended()
        }
    }

    /// Saves as soon as the thread that changes objects goes on.
    func saveSoon() {
        resetChangeLimit()
        if state.isQueued { return }
        state.isQueued = true
        queue.async { [weak self] in
            guard let self else { return }
            domain.withLock { state.isQueued = false }
            saveUnattended()
        }
    }

    private func saveUnattended() {
        do {
            try save()
        } catch {
            report(error)
        }
    }
}

extension Duration {
    fileprivate var dispatched: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        let (nanoseconds, isOver) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isOver ? .seconds(Int(clamping: seconds)) : .nanoseconds(nanoseconds + Int(attoseconds / 1_000_000_000))
    }
}
