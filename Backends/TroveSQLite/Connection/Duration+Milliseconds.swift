import Dispatch

extension Duration {
    /// The duration as SQLite takes it; longer ones than it can take are cut.
    var milliseconds: Int32 {
        guard self < .milliseconds(Int32.max) else { return .max }
        let (seconds, attoseconds) = max(.zero, self).components
        return Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    /// The duration as Dispatch takes it, in whole milliseconds.
    var dispatch: DispatchTimeInterval {
        milliseconds == .max ? .never : .milliseconds(Int(milliseconds))
    }
}
