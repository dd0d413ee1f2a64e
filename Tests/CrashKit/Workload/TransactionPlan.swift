import Foundation
import TestSupport
import Trove

/// What one transaction does. It follows from three numbers, so a checking process knows it too.
struct TransactionPlan {
    enum Step {
        case save(CrashCell)
        case delete(Int)
        case setBlob(String, Data)
        case deleteBlob(String)
        /// Steps under a savepoint that is taken back.
        case takenBack([Step])
    }

    /// The id of the only counter.
    static let counterID = 1
    private static let cellCount = 40
    private static let blobCount = 6

    let steps: [Step]
    /// Whether the body throws at its end.
    let isTakenBack: Bool

    init(seed: UInt64, writer: Int, number: Int) {
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(writer * 4_096 + number))
        let count = Int.random(in: 1...7, using: &generator)
        var steps: [Step] = []
        for _ in 0..<count {
            if Int.random(in: 0..<14, using: &generator) == 0 {
                steps.append(.takenBack([Self.step(&generator), Self.step(&generator)]))
            } else {
                steps.append(Self.step(&generator))
            }
        }
        self.steps = steps
        isTakenBack = Int.random(in: 0..<15, using: &generator) == 0
    }

    private static func step(_ generator: inout SeededGenerator) -> Step {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<12:
            let id = Int.random(in: 0..<cellCount, using: &generator)
            let group = Int.random(in: 0..<5, using: &generator)
            let neighbour = Int.random(in: -10..<cellCount, using: &generator)
            return .save(
                CrashCell(
                    id: id, group: group, label: "label \(group * 7 % 5) of \(id)", neighbour: neighbour < 0 ? nil : Reference(id: neighbour),
                    payload: payload(&generator), attachment: Lazy(Bool.random(using: &generator) ? payload(&generator) : Data())))
        case 12..<16: return .delete(Int.random(in: 0..<cellCount, using: &generator))
        case 16..<19: return .setBlob("blob \(Int.random(in: 0..<blobCount, using: &generator))", payload(&generator))
        default: return .deleteBlob("blob \(Int.random(in: 0..<blobCount, using: &generator))")
        }
    }

    /// Mostly small, sometimes too large for a page, seldom for many or for one chunk of a blob.
    private static func payload(_ generator: inout SeededGenerator) -> Data {
        let size =
            switch Int.random(in: 0..<50, using: &generator) {
            case 0: Bool.random(using: &generator) ? Int.random(in: 9_000...40_000, using: &generator) : Int.random(in: 60_000...140_000, using: &generator)
            case 1..<6: Int.random(in: 1_500...6_000, using: &generator)
            case 6..<15: Int.random(in: 200...1_500, using: &generator)
            default: Int.random(in: 0...200, using: &generator)
            }
        let words = (0..<(size + 7) / 8).map { _ in generator.next().littleEndian }
        return words.withUnsafeBytes { Data($0.prefix(size)) }
    }

    // MARK: Carrying out

    /// Makes the changes in a transaction, with a ticket that has the next number, which `begin` is told before anything is changed.
    func perform(in transaction: WriteTransaction, writer: Int, number: Int, begin: (_ sequence: Int) -> Void) throws {
        let sequence = (try transaction.fetch(CrashCounter.self, id: Self.counterID)?.value ?? 0) + 1
        begin(sequence)
        for step in steps { try Self.perform(step, in: transaction) }
        try transaction.save(CrashTicket(id: sequence, writer: writer, number: number))
        try transaction.save(CrashCounter(id: Self.counterID, value: sequence))
        if isTakenBack { throw TakenBack() }
    }

    private static func perform(_ step: Step, in transaction: WriteTransaction) throws {
        switch step {
        case .save(let cell): try transaction.save(cell)
        case .delete(let id): try transaction.delete(CrashCell.self, id: id)
        case .setBlob(let name, let data): try transaction.setBlob(data, named: name)
        case .deleteBlob(let name): try transaction.deleteBlob(named: name)
        case .takenBack(let steps):
            do {
                try transaction.savepoint {
                    for step in steps { try perform(step, in: transaction) }
                    throw TakenBack()
                }
            } catch is TakenBack {}
        }
    }
}
