/// A coding key for a position in an array, or for `super`.
struct PositionKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ position: Int) {
        stringValue = String(position)
        intValue = position
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) {
        self.init(intValue)
    }

    static let `super` = PositionKey(name: "super")

    private init(name: String) {
        stringValue = name
        intValue = nil
    }
}
