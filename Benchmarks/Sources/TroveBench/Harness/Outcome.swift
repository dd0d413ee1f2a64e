/// What became of one measurement.
struct Outcome: Sendable {
    let contestant: String
    let workload: String
    let measurement: Measurement?
    /// Why there is no measurement.
    let failure: String?

    /// One of an earlier run.
    init(_ measurement: Measurement) {
        (contestant, workload) = (measurement.contestant, measurement.workload)
        (self.measurement, failure) = (measurement, nil)
    }

    init(_ contestant: any Contestant, _ workload: any Workload, _ result: Result<Measurement, any Error>) {
        self.contestant = contestant.name
        self.workload = workload.name
        switch result {
        case .success(let measurement): (self.measurement, failure) = (measurement, nil)
        case .failure(let error): (measurement, failure) = (nil, "\(error)")
        }
    }
}
