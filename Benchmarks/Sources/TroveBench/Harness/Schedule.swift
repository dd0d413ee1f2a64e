/// Decides which stage is repeated next, so that a run ends in time and the most telling ones get their repeats first.
///
/// Every stage is measured once, the most important first, if it is expected to end in time. What is left of the time is for further repeats: a stage
/// gets one only if those more important can still have all of theirs. Repeats take turns, so that a machine that slows down hits all stages alike.
struct Schedule {
    /// What is known of a stage.
    struct Entry {
        let stage: Stage
        /// How often all of it was measured.
        var done: Int
        /// The number of its next repeat. That may be more than ``done``, when there were repeats in which something failed.
        var round: Int
        /// How long its last repeat took, in seconds; nil before the first.
        var seconds: Double?
    }

    private(set) var entries: [Entry]
    let repeats: Int
    /// All the time there is, in seconds.
    let limit: Double
    private var didBegin = false

    /// - Parameter earlier: What a run that is continued has done.
    init(_ stages: [Stage], repeats: Int, limit: Double, earlier: ResultsFile?) {
        entries = stages.map { stage in
            let done = stage.repeats(in: earlier?.measurements ?? [])
            return Entry(
                stage: stage, done: done, round: earlier.map(stage.nextRound) ?? 0,
                seconds: done == 0 ? nil : earlier?.stages.first { $0.name == stage.name }?.seconds)
        }
        self.repeats = repeats
        self.limit = limit
    }

    /// How many times as long as estimated the stages took that were measured.
    var pace: Double {
        let measured = entries.compactMap { entry in entry.seconds.map { ($0, entry.stage.estimate) } }
        let estimate = measured.reduce(0) { $0 + $1.1 }
        return estimate > 0 ? measured.reduce(0) { $0 + $1.0 } / estimate : 1
    }

    /// How long a repeat of a stage will probably take, in seconds.
    func expected(_ place: Int) -> Double { entries[place].seconds ?? entries[place].stage.estimate * pace }

    /// The place of the stage to be measured next; nil when all is done or nothing more ends in time. The very first is measured in any case.
    mutating func next(elapsed: Double) -> Int? {
        // One that did not fit may fit later, when others have taken less time than was expected of it then.
        for place in entries.indices where entries[place].done == 0 {
            if !didBegin || elapsed + expected(place) <= limit { return begin(place) }
        }
        let wanting = entries.indices.filter { (1..<repeats).contains(entries[$0].done) }
        let inTurn = wanting.sorted { (entries[$0].done, $0) < (entries[$1].done, $1) }
        return inTurn.first { place in
            let reserved = wanting.filter { $0 < place }.reduce(0) { $0 + Double(repeats - entries[$1].done) * expected($1) }
            return elapsed + reserved + expected(place) <= limit
        }.flatMap { begin($0) }
    }

    private mutating func begin(_ place: Int) -> Int {
        didBegin = true
        return place
    }

    /// Notes that a stage was measured once more.
    mutating func note(_ place: Int, seconds: Double) {
        entries[place].done += 1
        entries[place].round += 1
        entries[place].seconds = seconds
    }

    /// What has been done, to be kept with the results.
    var records: [StageRecord] {
        entries.compactMap { entry in entry.seconds.map { StageRecord(name: entry.stage.name, repeats: entry.done, seconds: $0) } }
    }

    /// The stages that did not fit into the time, until now.
    var leftOut: [Stage] { entries.filter { $0.done == 0 }.map(\.stage) }
}
