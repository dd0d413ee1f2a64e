import DequeModule

/// The order of a store's commits: each transaction takes a turn while no other one can write, and is told of in its turn, whenever its thread comes to it.
struct CommitTurns {
    /// What became of a transaction.
    enum Outcome {
        /// It was committed, with these changes for the readers that it keeps to. Those that came later have a higher number than the last of them.
        case committed([(reader: CommitReader, changes: [ObjectChange])], lastReader: Int)
        /// It may have been committed, which the engine could not tell.
        case unknown
        /// It was not.
        case failed
    }

    /// From the first turn of which others wait for the outcome; nil for one that is not known yet.
    private var outcomes: Deque<Outcome?> = []
    private var first = 0

    /// Whether nothing is left to tell.
    var isEmpty: Bool { outcomes.isEmpty }

    /// Takes the next turn.
    mutating func take() -> Int {
        outcomes.append(nil)
        return first + outcomes.count - 1
    }

    /// Ends a turn; returns the outcomes, in order, that no earlier transaction keeps waiting.
    mutating func end(_ turn: Int, _ outcome: Outcome) -> [Outcome] {
        outcomes[turn - first] = outcome
        var ready: [Outcome] = []
        while let next = outcomes.first, let outcome = next {
            ready.append(outcome)
            outcomes.removeFirst()
            first += 1
        }
        return ready
    }
}

extension StoreAudience {
    /// Takes a turn for the transaction that runs, which is going to be committed.
    func takeTurn() -> Int { state.withLock { $0.turns.take() } }

    /// Ends a turn, and gives the readers what no earlier transaction keeps waiting.
    func end(_ turn: Int, _ outcome: CommitTurns.Outcome) {
        var delivery = CommitDelivery()
        state.withLock { state in
            delivery.outcomes = state.turns.end(turn, outcome)
            for outcome in delivery.outcomes {
                switch outcome {
                case .committed(let told, let lastReader):
                    for (reader, changes) in told { delivery.note(reader, reader.append(changes)) }
                    delivery.miss(state.readers, after: lastReader)
                case .unknown: delivery.miss(state.readers, after: 0)
                case .failed: break
                }
            }
            delivery.woken += endReaders(&state)
        }
        delivery.finish()
    }

    /// Tells the readers that came after one that a transaction was committed of which nothing is known: it began before them.
    func noteUnseen(after lastReader: Int) {
        var delivery = CommitDelivery()
        state.withLock { delivery.miss($0.readers, after: lastReader) }
        delivery.finish()
    }
}

/// What is left to do of a delivery when the lock is released: who wakes may run at once, and a commit that goes may be the last that keeps a store.
private struct CommitDelivery {
    var outcomes: [CommitTurns.Outcome] = []
    var woken: [CommitReader] = []
    private var dropped: [StoreCommit] = []

    mutating func note(_ reader: CommitReader, _ commit: StoreCommit?) {
        woken.append(reader)
        if let commit { dropped.append(commit) }
    }

    mutating func miss(_ readers: [CommitReader], after lastReader: Int) {
        for reader in readers where reader.number > lastReader { note(reader, reader.appendMissed()) }
    }

    consuming func finish() {
        for reader in woken { reader.wake() }
    }
}
