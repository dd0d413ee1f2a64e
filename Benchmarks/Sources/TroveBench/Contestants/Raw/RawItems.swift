import RawEngines

/// Items as the C programs take them.
///
/// `@unchecked Sendable`: it is filled when it is made and not changed afterwards. Its pointers lead into what it owns.
final class RawItems: @unchecked Sendable {
    let count: Int
    private let items: UnsafeMutablePointer<raw_item>
    private let ids: UnsafeMutablePointer<UInt8>
    private let texts = TextArena()

    /// - Parameter seconds: How long each is.
    init(_ numbers: some Sequence<Int>, seconds: (Int) -> Int = ItemData.seconds) {
        let numbers = Array(numbers)
        count = numbers.count
        items = .allocate(capacity: numbers.count)
        ids = .allocate(capacity: numbers.count * raw_key_size)
        for (place, number) in numbers.enumerated() {
            let id = ids + place * raw_key_size
            id.initialize(from: ItemData.id(number).keyBytes, count: raw_key_size)
            (items + place).initialize(
                to: raw_item(id: id, number: Int64(number) + 1, title: texts.add(ItemData.title(number)), seconds: Int64(seconds(number))))
        }
    }

    /// Valid as long as this object.
    subscript(place: Int) -> UnsafePointer<raw_item> { UnsafePointer(items + place) }

    deinit {
        items.deallocate()
        ids.deallocate()
    }
}
