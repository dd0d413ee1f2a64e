/// How a probe ended instead of replying.
enum ProbeEnd: Error, CustomStringConvertible {
    case signal(Int32)
    case exit(Int32)
    case hang

    var description: String {
        switch self {
        case .signal(let number): "the process crashed with signal \(number)"
        case .exit(let status): "the process ended with status \(status)"
        case .hang: "the process hung"
        }
    }
}
