/// Makes the program of a seed.
struct StorageProgramGenerator {
    private static let names = ["a", "b", "it's\0odd"]

    private var random: SeededGenerator
    /// Keys that were written before, so that later operations meet them.
    private var known: [ProgramKey] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func steps(_ count: Int, isHeld: Bool = false) -> [StorageStep] { (0..<count).map { _ in step(isHeld: isHeld) } }

    private mutating func step(isHeld: Bool) -> StorageStep {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<6: return .read(operations: (0..<number(1...8)).map { _ in look() })
        case 6..<11: return .snapshot(steps(number(1...4), isHeld: true))
        case 11..<14 where !isHeld: return .compact
        case 14..<21 where !isHeld: return .reopen
        case 21..<23: return .synchronize
        case 23..<26: return .backUp(goOn: random.chance(1, in: 2) && !isHeld)
        default:
            let level: StorageStep.Level = random.chance(1, in: 12) ? random.pick(StorageStep.Level.allCases) : .relaxed
            return .write(level, operations: operations(number(1...60), depth: 0), fails: random.chance(1, in: 6))
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func operations(_ count: Int, depth: Int) -> [StorageOperation] { (0..<count).map { _ in operation(depth: depth) } }

    private mutating func operation(depth: Int) -> StorageOperation {
        let keyspace = random.pick(Self.names)
        switch number(0...99) {
        case 0: return .drop(keyspace: keyspace)
        case 1: return .create(keyspace: keyspace)
        case 2 where random.chance(1, in: 3):
            return .fill(keyspace: keyspace, first: number(0...3_000), count: number(1...800), size: number(0...200))
        case 3..<8 where depth < 3: return .savepoint(operations: operations(number(0...15), depth: depth + 1), fails: random.chance(1, in: 2))
        case 8..<12: return .deleteRange(keyspace: keyspace, range: range())
        case 12..<19: return .walk(keyspace: keyspace, moves: (0..<number(1...30)).map { _ in move() })
        case 19..<22: return scanWithChanges(keyspace, depth: depth)
        case 22..<28: return look()
        case 28..<31: return .prefetch(keyspace: keyspace, keys: (0..<number(1...12)).map { _ in knownKey() })
        case 31..<36: return .remove(keyspace: keyspace, key: knownKey())
        case 36..<48: return .delete(keyspace: keyspace, key: knownKey())
        case 48..<58: return .insert(keyspace: keyspace, key: random.chance(1, in: 3) ? knownKey() : key(), value: value())
        default: return .put(keyspace: keyspace, key: random.chance(1, in: 4) ? knownKey() : key(), value: value())
        }
    }

    private mutating func look() -> StorageOperation {
        let keyspace = random.pick(Self.names)
        switch number(0...13) {
        case 0: return .names
        case 1: return .count(keyspace: keyspace)
        case 2: return .getMany(keyspace: keyspace, keys: (0..<number(0...9)).map { _ in knownKey() })
        case 3..<6: return .get(keyspace: keyspace, key: knownKey())
        case 6: return .walk(keyspace: keyspace, moves: (0..<number(1...12)).map { _ in move() })
        case 10: return .countRange(keyspace: keyspace, range: range())
        case 11: return .prefetch(keyspace: keyspace, keys: (0..<number(1...12)).map { _ in knownKey() })
        case 12:
            let limit = random.chance(1, in: 3) ? number(1...5) : 10_000
            return .scanKeys(keyspace: keyspace, range: range(), descending: random.chance(1, in: 2), limit: limit)
        case 13:
            let limit = random.chance(1, in: 2) ? number(1...5) : 10_000
            return .scanExpecting(
                keyspace: keyspace, range: range(), descending: random.chance(1, in: 2), limit: limit, expected: number(0...8), meanwhile: [])
        default:
            let limit = random.chance(1, in: 3) ? number(1...5) : 10_000
            return .scan(keyspace: keyspace, range: range(), descending: random.chance(1, in: 2), limit: limit, meanwhile: [])
        }
    }

    private mutating func scanWithChanges(_ keyspace: String, depth: Int) -> StorageOperation {
        let changes = (0..<number(1...10)).map { _ -> StorageOperation in
            let place = random.chance(4, in: 5) ? keyspace : random.pick(Self.names)
            switch number(0...9) {
            case 0: return .deleteRange(keyspace: place, range: range())
            case 1 where depth < 3:
                let inner = (0..<number(1...4)).map { _ in StorageOperation.put(keyspace: place, key: key(), value: value()) }
                return .savepoint(operations: inner, fails: random.chance(1, in: 2))
            case 2..<5: return .delete(keyspace: place, key: knownKey())
            case 5: return .remove(keyspace: place, key: knownKey())
            default: return .put(keyspace: place, key: random.chance(1, in: 2) ? knownKey() : key(), value: value())
            }
        }
        let place = random.chance(1, in: 2) ? ProgramRange() : range()
        let (isDescending, limit) = (random.chance(1, in: 2), number(1...30))
        return random.chance(1, in: 2)
            ? .scan(keyspace: keyspace, range: place, descending: isDescending, limit: limit, meanwhile: changes)
            : .scanExpecting(
                keyspace: keyspace, range: place, descending: isDescending, limit: limit, expected: number(0...6), meanwhile: changes)
    }

    private mutating func move() -> CursorMove {
        switch number(0...7) {
        case 0: .seek(random.chance(1, in: 2) ? knownKey() : ProgramKey(random.key(0...3)))
        case 1: .last
        case 2, 3: .previous
        case 4: .deleteCurrent
        case 5: .put(key: key(), value: value())
        default: .next
        }
    }

    // MARK: Keys and values

    private mutating func key() -> ProgramKey {
        if random.chance(1, in: 300) { return ProgramKey([]) }
        let start = random.key(1...3)
        let key = random.chance(1, in: 30) ? ProgramKey(start, length: number(400...511)) : ProgramKey(start)
        if known.count < 200 { known.append(key) } else { known[number(0...199)] = key }
        return key
    }

    private mutating func knownKey() -> ProgramKey {
        random.chance(1, in: 4) || known.isEmpty ? ProgramKey(random.key(1...3)) : random.pick(known)
    }

    private mutating func value() -> ProgramValue {
        ProgramValue(size: random.chance(1, in: 30) ? number(1_000...20_000) : number(0...120), seed: number(0...999_999))
    }

    private mutating func range() -> ProgramRange {
        switch number(0...4) {
        case 0: ProgramRange(from: ProgramKey(random.key(0...3)))
        case 1: ProgramRange(upTo: ProgramKey(random.key(0...3)))
        default: ProgramRange(from: ProgramKey(random.key(0...3)), upTo: ProgramKey(random.key(0...3)))
        }
    }
}
