import ProbeKit

/// A request that should have been carried out was not.
struct UnexpectedFault: Error, CustomStringConvertible {
    let request: String
    let fault: ProbeFault

    var description: String { "\(request): \(fault)" }
}
