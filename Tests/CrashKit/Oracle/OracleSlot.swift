import Trove

/// What is known of one transaction, in one word.
struct OracleSlot {
    enum State: UInt8 {
        case unused
        /// Its body has begun.
        case pending
        /// `write` has returned.
        case acknowledged
        /// Its body threw, and `write` threw that.
        case takenBack
        /// A crash has taken it back.
        case lost
        /// It was not acknowledged, and was there after a crash.
        case found
    }

    var state: State
    var durability: Durability
    /// Its place in the order of commits, once it is pending.
    var sequence: Int

    init(state: State, durability: Durability, sequence: Int) {
        self.state = state
        self.durability = durability
        self.sequence = sequence
    }

    init(word: UInt64) {
        state = State(rawValue: UInt8(word & 0xFF)) ?? .unused
        durability = Durability(rawValue: Int(word >> 8 & 0xFF)) ?? .durable
        sequence = Int(word >> 16)
    }

    var word: UInt64 { UInt64(state.rawValue) | UInt64(durability.rawValue) << 8 | UInt64(sequence) << 16 }
}
