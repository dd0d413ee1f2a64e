import Foundation
import Synchronization
import TroveBackendKit

/// The id of an object whose model declares none: 16 bytes that grow with time, unique without coordination.
///
/// An id is a UUID of version 7 (RFC 9562): 48 bits of milliseconds, then a counter that starts at random
/// each millisecond and grows by a random step. Ids made by one process ascend, so that new
/// objects land at the end of the engine's tree, which is two to three times faster than random places.
public struct ObjectID: Sendable, Hashable, Comparable {
    /// The first and last eight bytes, most significant first.
    @usableFromInline let high, low: UInt64

    /// Creates an id that is greater than every id this process has created.
    public init() {
        (high, low) = ObjectIDGenerator.shared.next()
    }

    @inlinable init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The id with the bytes of `uuid`.
    public init(_ uuid: UUID) {
        self = withUnsafeBytes(of: uuid.uuid) { bytes in
            ObjectID(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    /// The id written as ``description`` writes it, with or without its hyphens and in either case; nil when the text is not a UUID.
    public init?(_ description: String) {
        if let uuid = UUID(uuidString: description) {
            self.init(uuid)
        } else {
            guard description.utf8.count == 32, let bytes = [UInt8](hexadecimal: description), let id = try? ObjectID(keyBytes: bytes)
            else { return nil }
            self = id
        }
    }

    /// The same bytes as a UUID.
    public var uuid: UUID {
        var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            buffer.storeBytes(of: high.bigEndian, as: UInt64.self)
            buffer.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }

    /// The time of the id's creation, to the millisecond.
    public var creationDate: Date { Date(timeIntervalSince1970: Double(high >> 16) / 1000) }

    public static func < (left: ObjectID, right: ObjectID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ObjectID: CustomStringConvertible {
    /// The id as a UUID in lower case.
    public var description: String { uuid.uuidString.lowercased() }
}

extension ObjectID: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try UUID(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try uuid.encode(to: encoder)
    }
}

/// Makes ascending ids for ``ObjectID/init()``.
final class ObjectIDGenerator: Sendable {
    static let shared = ObjectIDGenerator()

    private struct State {
        var milliseconds: UInt64 = 0
        /// 74 random bits of the id that follow the time: 12 and 62.
        var counter: UInt128 = 0
        /// Steps are drawn from these bits, eight for each id.
        var steps: UInt64 = 0
        var stepsLeft = 0
        /// A forked child has its parent's state and must not go on from there.
        var process = ForkMark()
    }

    private let state = Mutex(State())

    func next() -> (high: UInt64, low: UInt64) {
        let now = Self.milliseconds()
        return state.withLock { state in
            if now > state.milliseconds || state.process.isInherited {
                state.milliseconds = max(now, state.milliseconds)
                state.process = ForkMark()
                // The top bit stays free, so that a millisecond has room for 2^73 steps.
                state.counter = UInt128.random(in: 0..<(1 << 73))
            } else {
                if state.stepsLeft == 0 {
                    state.steps = .random(in: 0...UInt64.max)
                    state.stepsLeft = 8
                }
                state.counter += UInt128(state.steps & 0xFF) + 1
                state.steps >>= 8
                state.stepsLeft -= 1
            }
            let high = state.milliseconds << 16 | 0x7000 | UInt64(truncatingIfNeeded: state.counter >> 62) & 0xFFF
            let low = 0x8000_0000_0000_0000 | UInt64(truncatingIfNeeded: state.counter) & 0x3FFF_FFFF_FFFF_FFFF
            return (high, low)
        }
    }

    private static func milliseconds() -> UInt64 {
        var time = timespec()
        #if os(Linux)
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        #else
        clock_gettime(CLOCK_REALTIME, &time)
        #endif
        return UInt64(max(0, time.tv_sec)) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
}
