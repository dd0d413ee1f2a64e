/// Questions that an index answers without the records.
struct AskTracks: TrackWorkload {
    static let variants: [any Workload] = TrackQuestion.allCases.map(AskTracks.init)

    let question: TrackQuestion
    var name: String { "ask-\(question.rawValue.lowercased())" }
    var title: String { question.title }
    var explanation: String { "\(question.sql); measured after one round that is not." }
    let unit = ResultUnit.time
    let order = 45

    func operations(_ scale: Scale) -> Int { 1 }

    func expected(_ scale: Scale, seed: Int) -> Tally? { nil }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let answer = try store.answering(question)
        _ = try answer()
        return try gauge.measure(answer)
    }
}
