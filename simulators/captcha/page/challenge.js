// The challenge in the frame: it sends the chosen word, and gives the page the ticket or the news that it was closed.
const main = document.querySelector('main')
const { id, aid } = main.dataset
const status = main.querySelector('[role=status]')

/** Gives the page the result. The page's script checks the sender; a ticket is of no use to another one. */
const finish = (result) => window.parent.postMessage(result, '*')

main.addEventListener('click', async ({ target }) => {
  if (target.name === 'close') return finish({ ret: 2 })
  if (target.name !== 'word') return
  const answer = await fetch(`solve?aid=${encodeURIComponent(aid)}`, {
    method: 'POST', body: new URLSearchParams({ id, word: target.value }),
  }).then((r) => r.json()).catch(() => ({ ret: -1 }))
  if (answer.ret === 0) return finish(answer)
  status.textContent = answer.ret === 1 ? '验证失败，请重试' : '网络异常，请重试'
  if (answer.ret === 1) setTimeout(() => window.location.reload(), 800)
})
main.hidden = false // A tap before this line would be lost.
