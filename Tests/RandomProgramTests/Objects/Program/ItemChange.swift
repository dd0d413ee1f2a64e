/// What an update does to each item.
enum ItemChange: Codable, Hashable, Sendable {
    case addAmount(Int)
    case setSection(Int)
    case setTitle(String)
    case setCode(String)
    case setHome(Int?)
    case setTags([String])

    func apply(to item: inout ItemValue) {
        switch self {
        case .addAmount(let amount): item.amount += amount
        case .setSection(let section): item.section = section
        case .setTitle(let title): item.title = title
        case .setCode(let code): item.code = code
        case .setHome(let home): item.home = home
        case .setTags(let tags): item.tags = tags
        }
    }
}
