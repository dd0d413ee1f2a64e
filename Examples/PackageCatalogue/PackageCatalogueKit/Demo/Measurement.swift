/// How long something took for how many objects.
struct Measurement: Sendable {
    var objects: Int
    var duration: Duration

    var seconds: Double { duration / .seconds(1) }

    /// Objects a second, for people; a rate over no measurable time is not a number anyone should read.
    var rate: String { seconds > 0 ? Int(Double(objects) / seconds).grouped : "–" }
}
