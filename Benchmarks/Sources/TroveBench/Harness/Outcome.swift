/// What became of one measurement.
struct Outcome: Sendable {
    let contestant: String
    let workload: String
    let measurement: Measurement?
    /// Why there is no measurement.
    let failure: String?

    init(_ contestant: any Contestant, _ workload: any Workload, _ result: Result<Measurement, any Error>) {
        self.contestant = contestant.name
        self.workload = workload.name
        switch result {
        case .success(let measurement): (self.measurement, failure) = (measurement, nil)
        case .failure(let error): (measurement, failure) = (nil, "\(error)")
        }
    }
}
