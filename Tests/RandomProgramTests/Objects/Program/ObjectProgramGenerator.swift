import TroveTesting

/// Makes the program of a seed. There are so few ids and values that objects often meet.
struct ObjectProgramGenerator {
    private static let words = ["autumn", "leaves", "blue", "green", "so", "what", "nardis", "solar"]
    private static let tags = ["live", "solo", "trio", "été"]
    private static let partNames = ["p0", "p1", "p2", "p3…", "p4", "p5"]
    private static let shelves = ["left", "right", "far…"]

    private var random: SeededGenerator
    private var version = 1

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func step() -> ObjectStep {
        switch number(0...99) {
        case 0..<8: return .read((0..<number(1...6)).map { _ in query() })
        case 8..<14: return .reopen
        case 14..<17:
            // Not all at once: most of a program runs on earlier versions.
            if random.chance(1, in: 2) { version = min(version + 1, 3) }
            return .schema(version: version)
        case 17..<20: return .upgrade(batchSize: number(1...9))
        case 20: return .rebuildIndexes
        case 21..<24: return .copy(engine: number(0...3))
        case 24..<27: return .compact
        case 27..<30: return .backUp(goOn: random.chance(1, in: 2))
        case 30..<32: return .verify
        default: return .write(operations(number(1...12), depth: 0), fails: random.chance(1, in: 8))
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func operations(_ count: Int, depth: Int) -> [ObjectOperation] { (0..<count).map { _ in operation(depth: depth) } }

    private mutating func operation(depth: Int) -> ObjectOperation {
        switch number(0...99) {
        case 0..<16: .saveItem(item())
        case 16..<21: .insertItem(item())
        case 21..<29: .saveItems((0..<number(1...8)).map { _ in item() })
        case 29..<36: .updateItems(filter(), change())
        case 36..<40: .deleteItems(ids: (0..<number(1...4)).map { _ in itemID() })
        case 40..<44: .deleteItemsWhere(filter())
        case 44: .deleteAllItems
        case 45..<55: .saveBox(id: boxID(), name: boxName(), parent: random.chance(1, in: 3) ? boxID() : nil, parts: parts())
        case 55..<60: .deleteBoxes(ids: (0..<number(1...3)).map { _ in boxID() })
        case 60..<62: .deleteBoxesWhere(fromID: number(0...5), upToID: number(1...6))
        case 62..<68: .savePart(id: random.pick(Self.partNames), weight: number(0...9))
        case 68..<71: .deleteParts(ids: (0..<number(1...3)).map { _ in random.pick(Self.partNames) })
        case 71..<73: .saveLock(id: number(0...2), box: boxID())
        case 73..<75: .deleteLock(id: number(0...2))
        case 75..<79: .saveEntries(shelf: random.pick(Self.shelves), places: (0..<number(1...4)).map { _ in number(0...5) }, count: number(0...4))
        case 79..<81: .insertEntry(shelf: random.pick(Self.shelves), place: number(0...5), count: number(0...4))
        case 81: .deleteEntriesWhere(count: number(0...4))
        case 82..<92 where depth < 3: .savepoint(operations(number(1...5), depth: depth + 1), fails: random.chance(1, in: 2))
        default: .query(query())
        }
    }

    private mutating func query() -> ObjectQuery {
        switch number(0...11) {
        case 0..<4:
            .items(
                filter(), by: random.pick(ObjectQuery.Order.allCases), descending: random.chance(1, in: 2),
                offset: random.chance(1, in: 3) ? number(0...4) : 0, limit: random.chance(1, in: 2) ? number(0...6) : nil)
        case 4: .item(id: itemID())
        case 5: .itemCount(filter())
        case 6: .itemWithCode(code())
        case 7: .figures
        case 8: .referencing(box: boxID())
        case 9: .unreferencedParts
        default: .entries(shelf: random.pick(Self.shelves))
        }
    }

    // MARK: Values

    private mutating func itemID() -> Int { number(-1...14) }
    private mutating func boxID() -> Int { number(0...5) }
    private mutating func code() -> String { "c\(number(0...19))" }
    private mutating func boxName() -> String { random.pick(["north", "South", "east"]) }
    private mutating func title() -> String { (0..<number(1...4)).map { _ in random.pick(Self.words) }.joined(separator: " ") }
    private mutating func tagList() -> [String] { (0..<number(0...3)).map { _ in random.pick(Self.tags) } }
    private mutating func parts() -> [String] { (0..<number(0...3)).map { _ in random.pick(Self.partNames) } }

    private mutating func item() -> ItemValue {
        ItemValue(
            id: itemID(), code: code(), title: title(), section: number(0...3), amount: number(-20...20),
            note: random.chance(1, in: 2) ? title() : nil, tags: tagList(), born: number(1...9), home: random.chance(1, in: 2) ? boxID() : nil,
            rank: number(1...4), level: "level \(number(0...4))")
    }

    private mutating func filter() -> ItemFilter {
        var filter = ItemFilter()
        switch number(0...8) {
        case 0: filter.section = number(0...3)
        case 1: filter.above = number(-20...20)
        case 2: filter.tag = random.pick(Self.tags)
        case 3: filter.word = random.pick(Self.words)
        case 4: filter.home = boxID()
        case 5: filter.homeName = boxName()
        case 6: (filter.fromID, filter.upToID) = (number(-1...10), number(2...15))
        case 7: (filter.section, filter.above) = (number(0...3), number(-20...20))
        default: (filter.home, filter.word) = (random.chance(1, in: 2) ? boxID() : nil, random.pick(Self.words))
        }
        return filter
    }

    private mutating func change() -> ItemChange {
        switch number(0...5) {
        case 0: .addAmount(number(-5...5))
        case 1: .setSection(number(0...3))
        case 2: .setTitle(title())
        case 3: .setCode(code())
        case 4: .setHome(random.chance(1, in: 3) ? nil : boxID())
        default: .setTags(tagList())
        }
    }
}
