/// A range of the bytes that ``KeyPart`` makes in ascending order.
///
/// A bound need not be a whole part: it compares with a part as bytes do, and an included upper or excluded lower bound stands for all
/// bytes that begin with it.
struct KeyPartRange: Sendable, Hashable {
    enum Bound: Sendable, Hashable {
        case unbounded
        case included([UInt8])
        case excluded([UInt8])
    }

    var lower: Bound
    var upper: Bound

    init(from lower: Bound, to upper: Bound) {
        self.lower = lower
        self.upper = upper
    }

    /// Every part, nil's too.
    static let all = KeyPartRange(from: .unbounded, to: .unbounded)
    /// No part.
    static let none = KeyPartRange(from: .included([KeyPart.present]), to: .excluded([KeyPart.present]))
    /// The part of nil.
    static let null = KeyPartRange(point: [0])
    /// The parts of all values but nil.
    static let notNull = KeyPartRange(from: .included([KeyPart.present]), to: .unbounded)

    /// One part.
    init(point part: [UInt8]) {
        self.init(from: .included(part), to: .included(part))
    }

    /// The single part of the range; nil when it may have several.
    var point: [UInt8]? {
        if case .included(let lower) = lower, case .included(lower) = upper { lower } else { nil }
    }

    /// The range as one of bytes: from `lower` on, below `upper`. A nil `lower` is above all bytes, a nil `upper` no bound.
    ///
    /// No part begins with another, so an included part and all that begins with it are one.
    var bytes: (lower: [UInt8]?, upper: [UInt8]?) {
        let start: [UInt8]? =
            switch lower {
            case .unbounded: []
            case .included(let bytes): bytes
            case .excluded(let bytes): KeyRange.prefix(bytes).upper
            }
        let end: [UInt8]? =
            switch upper {
            case .unbounded: nil
            case .included(let bytes): KeyRange.prefix(bytes).upper
            case .excluded(let bytes): bytes
            }
        return (start, end)
    }
}
