/// What became of one measurement.
enum Outcome: Sendable {
    case measured(Measurement)
    case failed(Failure)

    var measurement: Measurement? {
        if case .measured(let measurement) = self { measurement } else { nil }
    }

    var failure: Failure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}
