import Trove

/// 32 random bytes, as text: nobody can guess it, and comparing it takes the same time whatever it is compared with.
struct Secret: Hashable, Sendable {
    let text: String

    init() {
        // The system's generator is one for secrets.
        var generator = SystemRandomNumberGenerator()
        text = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }

    func isEqual(to other: some StringProtocol) -> Bool { Self.areEqual(text, other) }

    static func areEqual(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
        let (left, right) = (Array(one.utf8), Array(other.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
